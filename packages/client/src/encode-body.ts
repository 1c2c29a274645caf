/** Bodies below this size gain nothing from compression. */
const compressFrom = 1024

/** Pieces in which a body goes through the compressor (R162): keeps the page answering meanwhile. */
const chunkBytes = 32 * 1024

export interface EncodedBody {
  body: BodyInit
  headers: Record<string, string>
}

/**
 * JSON of a payload, gzip-compressed when it is worth it and the browser can. Empty strings travel as null
 * (R169).
 */
export async function encodeBody(payload: unknown): Promise<EncodedBody> {
  const bytes = new TextEncoder().encode(JSON.stringify(emptyToNull(payload)))
  const headers = { 'content-type': 'application/json' }
  if (bytes.length <= compressFrom || !canCompress()) return { body: bytes, headers }
  const compressed = await gzip(new Blob([bytes])).then(blob => blob.arrayBuffer())
  return { body: compressed, headers: { ...headers, 'content-encoding': 'gzip' } }
}

/** Every empty string of a payload as null, at any depth; other values untouched. */
export function emptyToNull(value: unknown): unknown {
  if (value === '') return null
  if (Array.isArray(value)) return value.map(emptyToNull)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, emptyToNull(entry)]))
}

/** Compresses a blob, 32 kB at a time. `onProgress` hears how much of it (0–1) has gone through. */
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
