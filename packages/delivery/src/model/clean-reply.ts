/** What a server says is hostile: PostgreSQL takes no NUL, and nobody wants a megabyte of it. */
export function cleanReply(text: string, most = 1_000): string {
  return text.replaceAll('\0', '').slice(0, most).toWellFormed()
}
