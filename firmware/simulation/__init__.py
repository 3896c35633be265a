"""The virtual table: lays cards as people do, photographs them with every flaw of a real camera, and plays."""
