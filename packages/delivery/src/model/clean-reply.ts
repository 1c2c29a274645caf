/** Sanitizes untrusted text of a server: PostgreSQL rejects NUL, and the length is limited. */
export function cleanReply(text: string, most = 1_000): string {
  return text.replaceAll('\0', '').slice(0, most).toWellFormed()
}
