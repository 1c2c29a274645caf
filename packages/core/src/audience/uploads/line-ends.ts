const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
/** Most bytes that are searched for a line feed. */
const FIRST_BYTES = 64 * 1024

/**
 * Replaces carriage returns by line feeds in files that have only those (Excel for Mac, old exports), byte for byte, as
 * they stream; other files pass unchanged. Decided by the first 64 KB: a carriage return and no line feed.
 */
export async function* withLineFeeds(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]()
  let beginning = Buffer.alloc(0)
  let isEnd = false
  while (!isEnd && beginning.length < FIRST_BYTES && !beginning.includes(LINE_FEED)) {
    const next = await iterator.next()
    if (next.done === true) isEnd = true
    else beginning = Buffer.concat([beginning, next.value])
  }
  const all = (async function* whole(): AsyncGenerator<Buffer> {
    if (beginning.length > 0) yield beginning
    while (!isEnd) {
      const next = await iterator.next()
      if (next.done === true) return
      yield next.value
    }
  })()
  const isArchive = beginning.subarray(0, 2).toString('latin1') === 'PK'
  if (isArchive || beginning.includes(LINE_FEED) || !beginning.includes(CARRIAGE_RETURN)) yield* all
  else yield* replaceReturns(all, zeroOfReturn(beginning))
}

/** Where UTF-16 has the zero byte of a carriage return: before or after it; null in charsets where it is one byte. */
function zeroOfReturn(beginning: Buffer): 'before' | 'behind' | null {
  const at = beginning.indexOf(CARRIAGE_RETURN)
  if (at % 2 === 1 && beginning[at - 1] === 0) return 'before'
  return at % 2 === 0 && beginning[at + 1] === 0 ? 'behind' : null
}

async function* replaceReturns(
  chunks: AsyncIterable<Buffer>,
  zero: 'before' | 'behind' | null,
): AsyncGenerator<Buffer> {
  let carried = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([carried, chunk])
    const end = zero === null ? bytes.length : bytes.length - (bytes.length % 2)
    carried = bytes.subarray(end)
    const step = zero === null ? 1 : 2
    const place = zero === 'before' ? 1 : 0
    for (let at = 0; at < end; at += step) {
      if (bytes[at + place] !== CARRIAGE_RETURN) continue
      if (zero === null || bytes[at + 1 - place] === 0) bytes[at + place] = LINE_FEED
    }
    yield bytes.subarray(0, end)
  }
  if (carried.length > 0) yield carried
}
