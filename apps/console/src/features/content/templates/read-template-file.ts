import type { Start } from './starters.ts'

/** Most characters of a template's source, as in the contract. */
const MOST_CHARACTERS = 2_000_000

type TemplateFile = { start: Start } | { fault: 'too_large' | 'no_template' }

/**
 * Reads an HTML or MJML file into a new template, without a change to its source. Its kind is that of its content, its
 * subject is the title.
 */
export async function readTemplateFile(file: File): Promise<TemplateFile> {
  // No character has more than four bytes.
  if (file.size > 4 * MOST_CHARACTERS) return { fault: 'too_large' }
  const source = decode(await file.arrayBuffer())
  if (source.length > MOST_CHARACTERS) return { fault: 'too_large' }
  const isMjml = /<mjml[\s>]/i.test(source)
  if (source.includes('\u0000') || !(isMjml || /<(?:html|body|table|div|p|h1|td)[\s>]/i.test(source)))
    return { fault: 'no_template' }
  const start = {
    subject: titleOf(source, isMjml),
    preheader: null,
    body_mjml: isMjml ? source : null,
    body_long: isMjml ? null : source,
  }
  return { start }
}

/** Decodes UTF-8, otherwise the encoding that the file names, otherwise Windows-1252. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const head = new TextDecoder('latin1').decode(bytes.slice(0, 2048))
    return decoderOf(/charset\s*=\s*["']?([\w-]{2,40})/i.exec(head)?.[1]).decode(bytes)
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

function titleOf(source: string, isMjml: boolean): string {
  const page = new DOMParser().parseFromString(source, 'text/html')
  const title = page.querySelector(isMjml ? 'mj-title' : 'title')?.textContent ?? ''
  return title.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
}
