/** Decodes the bytes of a template: UTF-8, otherwise the encoding that it or its server names, otherwise Windows-1252. */
export function decodeSource(bytes: Uint8Array, charset?: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const head = new TextDecoder('latin1').decode(bytes.slice(0, 2048))
    return decoderOf(charset ?? /charset\s*=\s*["']?([\w-]{2,40})/i.exec(head)?.[1]).decode(bytes)
  }
}

function decoderOf(label = 'windows-1252'): TextDecoder {
  try {
    const decoder = new TextDecoder(label)
    return decoder.encoding === 'utf-8' ? new TextDecoder('windows-1252') : decoder
  } catch {
    return new TextDecoder('windows-1252')
  }
}

/** The format of a source by its content; null if it is no template. */
export function formatOf(source: string): 'html' | 'mjml' | null {
  if (source.includes('\u0000')) return null
  if (/<mjml[\s>]/i.test(source)) return 'mjml'
  return /<(?:html|body|table|div|p|h1|td)[\s>]/i.test(source) ? 'html' : null
}
