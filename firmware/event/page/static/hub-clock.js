// How late it is at the hub, and what is left of a round.

let ahead = 0;

/** The hub's clock is the one that counts. */
export function syncClock(now) {
  ahead = new Date(now).getTime() - Date.now();
}

export function now() {
  return Date.now() + ahead;
}

export function spoken(seconds) {
  const whole = Math.abs(Math.trunc(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  return `${seconds < 0 ? "−" : ""}${hours ? `${hours}:${two(minutes)}` : minutes}:${two(rest)}`;
}

/** What is left of the round, for everybody or for a table with more; null when no clock was started. */
export function clock(round, row = null) {
  if (!round || !round.started || round.over) return null;
  const stopped = row?.condition === "call" ? new Date(row.since).getTime() : null;
  const at = stopped === null ? now() : Math.min(stopped, now());
  const left = (round.ends === null ? round.left_s : (new Date(round.ends).getTime() - at) / 1000) + (row?.added_s ?? 0);
  const tone = stopped !== null || round.ends === null ? "still" : left < 0 ? "over" : left < 300 ? "soon" : "runs";
  return { seconds: left, text: spoken(left), tone };
}

/** How long ago something was, in the fewest words; none for what has not been yet. */
export function waited(since) {
  return since && spoken(Math.max(0, (now() - new Date(since).getTime()) / 1000));
}
