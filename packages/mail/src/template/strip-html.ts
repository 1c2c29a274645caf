/**
 * Removes tags, comments, and script and style elements with their content, in one pass: the search for a missing end
 * mark is not repeated. An unclosed tag is text.
 */
export function stripHtml(text: string): string {
  const missing = new Set<string>()
  let stripped = ''
  let at = 0
  for (let open = text.indexOf('<'); open >= 0; open = text.indexOf('<', at)) {
    stripped += text.slice(at, open)
    at = endOfMarkup(text, open, missing)
    if (at < 0) return stripped + text.slice(open)
  }
  return stripped + text.slice(at)
}

const BLOCKS: readonly (readonly [open: string, close: string])[] = [
  ['<script', '</script>'],
  ['<style', '</style>'],
  ['<!--', '-->'],
]

/** The offset after the markup that begins at `open`, or -1. */
function endOfMarkup(text: string, open: number, missing: Set<string>): number {
  for (const [start, close] of BLOCKS) {
    if (missing.has(close) || !text.startsWith(start, open)) continue
    const end = text.indexOf(close, open + start.length)
    if (end >= 0) return end + close.length
    missing.add(close)
  }
  const end = text.indexOf('>', open)
  return end < 0 ? -1 : end + 1
}
