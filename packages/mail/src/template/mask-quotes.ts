/** Replaces everything between quotes, and the quotes, character by character. */
export function maskQuotes(text: string): string {
  return text.replaceAll(/"[^"]*"|'[^']*'/g, quoted => '\ue001'.repeat(quoted.length))
}
