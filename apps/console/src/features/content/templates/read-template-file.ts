import { SOURCE_CHARACTERS } from '@emma/contract/actions/html-body.ts'
import { decodeSource, formatOf } from '@emma/mail/template/read-source.ts'
import type { Start } from './starters.ts'

type TemplateFile = { start: Start } | { fault: 'too_large' | 'no_template' }

/**
 * Reads an HTML or MJML file into a new template, without a change to its source. Its kind is that of its content, its
 * subject is the title.
 */
export async function readTemplateFile(file: File): Promise<TemplateFile> {
  // No character has more than four bytes.
  if (file.size > 4 * SOURCE_CHARACTERS) return { fault: 'too_large' }
  const source = decodeSource(new Uint8Array(await file.arrayBuffer()))
  if (source.length > SOURCE_CHARACTERS) return { fault: 'too_large' }
  const format = formatOf(source)
  if (format === null) return { fault: 'no_template' }
  const isMjml = format === 'mjml'
  const start = {
    subject: titleOf(source, isMjml),
    preheader: null,
    body_mjml: isMjml ? source : null,
    body_long: isMjml ? null : source,
  }
  return { start }
}

function titleOf(source: string, isMjml: boolean): string {
  const page = new DOMParser().parseFromString(source, 'text/html')
  const title = page.querySelector(isMjml ? 'mj-title' : 'title')?.textContent ?? ''
  return title.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
}
