"""The event's own authority: it signs the broker's certificate, and the stations' where they have one. Files are PEM.

Made once by `event init` and good for a year. Whoever joins gets the authority's certificate with the invitation, so
that nobody in the network can pass for the hub.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

GOOD_FOR = timedelta(days=365)
EARLIER = timedelta(days=2)  # a Pi without a battery may think that it is still yesterday


@dataclass(frozen=True, slots=True)
class Signed:
    """A certificate and its key."""

    certificate_pem: bytes
    key_pem: bytes


def new_authority(name: str) -> Signed:
    key = ec.generate_private_key(ec.SECP256R1())
    builder = _builder(name, name, key).add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    certificate = builder.add_extension(usage, critical=True).sign(key, hashes.SHA256())
    return _signed(certificate, key)


def signed_by(authority: Signed, name: str, hosts: tuple[str, ...] = ()) -> Signed:
    """A certificate for the broker under these host names and addresses, or without any for a station."""
    issuer = x509.load_pem_x509_certificate(authority.certificate_pem)
    signing = _key_of(authority)
    key = ec.generate_private_key(ec.SECP256R1())
    issued_by = issuer.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value
    purpose = ExtendedKeyUsageOID.SERVER_AUTH if hosts else ExtendedKeyUsageOID.CLIENT_AUTH
    builder = (
        _builder(name, str(issued_by), key)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([purpose]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key()), critical=False)
    )
    if hosts:
        names = x509.SubjectAlternativeName([_alternative(host) for host in hosts])
        builder = builder.add_extension(names, critical=False)
    return _signed(builder.sign(signing, hashes.SHA256()), key)


def serial_of(signed: Signed) -> int:
    """The number of a certificate, which no other has."""
    return x509.load_pem_x509_certificate(signed.certificate_pem).serial_number


def revoking(authority: Signed, serials: Iterable[int]) -> bytes:
    """The authority's list of certificates that are good for nothing any more, by their numbers."""
    issuer = x509.load_pem_x509_certificate(authority.certificate_pem)
    now = datetime.now(UTC)
    builder = x509.CertificateRevocationListBuilder().issuer_name(issuer.subject)
    builder = builder.last_update(now - EARLIER).next_update(issuer.not_valid_after_utc)
    for serial in serials:
        revoked = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(now - EARLIER).build()
        builder = builder.add_revoked_certificate(revoked)
    return builder.sign(_key_of(authority), hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def _key_of(authority: Signed) -> ec.EllipticCurvePrivateKey:
    key = serialization.load_pem_private_key(authority.key_pem, None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise ValueError("the authority's key is of another kind than the one that was made for it")
    return key


def _builder(name: str, issuer: str, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(_named(name))
        .issuer_name(_named(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now + GOOD_FOR)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _alternative(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _signed(certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> Signed:
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return Signed(certificate.public_bytes(serialization.Encoding.PEM), private)
