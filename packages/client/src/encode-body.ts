/** Bodies below this size are not compressed. */
const compressFrom = 1024

/** Chunk size of the compression (R162), which keeps the page responsive. */
const chunkBytes = 32 * 1024

export interface EncodedBody {
  body: BodyInit
  headers: Record<string, string>
}

/** Encodes a payload as JSON, gzip-compressed if large and supported. Empty strings become null (R169). */
export async function encodeBody(payload: unknown): Promise<EncodedBody> {
  const bytes = new TextEncoder().encode(JSON.stringify(emptyToNull(payload)))
  const headers = { 'content-type': 'application/json' }
  if (bytes.length <= compressFrom || !canCompress()) return { body: bytes, headers }
  const compressed = await gzip(new Blob([bytes])).then(blob => blob.arrayBuffer())
  return { body: compressed, headers: { ...headers, 'content-encoding': 'gzip' } }
}

/** Replaces empty strings of a payload by null, at any depth. */
export function emptyToNull(value: unknown): unknown {
  if (value === '') return null
  if (Array.isArray(value)) return value.map(emptyToNull)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, emptyToNull(entry)]))
}

/** Compresses a blob, 32 kB at a time. `onProgress` gets the completed share (0–1). */
export async function gzip(source: Blob, onProgress?: (share: number) => void): Promise<Blob> {
  let offset = 0
  const chunks = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      if (offset >= source.size) return controller.close()
      const chunk = new Uint8Array(await source.slice(offset, offset + chunkBytes).arrayBuffer())
      offset += chunk.length
      controller.enqueue(chunk)
      onProgress?.(offset / source.size)
    },
  })
  return new Response(chunks.pipeThrough(new CompressionStream('gzip'))).blob()
}

export function canCompress(): boolean {
  return typeof CompressionStream === 'function'
}
