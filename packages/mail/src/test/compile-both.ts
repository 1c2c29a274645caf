import { compileCanvas } from '../edit/compile-canvas.ts'
import { stripMarks } from '../edit/marks.ts'
import type { TemplateFormat } from '../edit/template-tree.ts'
import { type MergeData, renderSegments, type Segments } from '../segments.ts'
import { compileContent } from '../template/compile-content.ts'
import type { ContentSource } from '../template/content-source.ts'
import type { SectionCache } from '../template/section-cache.ts'
import { ContentError } from '../template/template-error.ts'

/** HTML as sent, or the faults because of which a template is not sent. */
export type Rendered = { html: string } | { faults: string }

/** Compiles and renders a template as it is sent. */
export async function renderSent(source: string, format: TemplateFormat): Promise<Rendered> {
  return await outcome(async () => render((await compileContent(contentOf(source, format))).html))
}

/** Compiles and renders a template for the canvas, with its marks. */
export async function renderCanvas(
  source: string,
  format: TemplateFormat,
  sections?: SectionCache,
): Promise<Rendered> {
  return await outcome(async () => render((await compileCanvas(contentOf(source, format), sections)).html))
}

/** As `renderCanvas`, without the marks. */
export async function renderUnmarked(
  source: string,
  format: TemplateFormat,
  sections?: SectionCache,
): Promise<Rendered> {
  return await outcome(async () => {
    const { html, marks } = await compileCanvas(contentOf(source, format), sections)
    return marks ? stripMarks(render(html), marks) : render(html)
  })
}

function contentOf(source: string, format: TemplateFormat): ContentSource {
  return {
    subject: 'Hello',
    preheader: '',
    html: format === 'html' ? source : '',
    mjml: format === 'mjml' ? source : '',
    // Whether a text part can be made of the HTML is not compared.
    text: '-',
    modules: [],
    known: { member: ['firstname', 'country'] },
    trackingBase: 'https://t.example',
    isTracked: true,
  }
}

const data: MergeData = {
  member: { firstname: 'Ada', country: 'DE' },
  campaign: {},
  client: {},
  token: 'TOKEN',
  pageToken: 'TOKEN',
}

function render(html: Segments): string {
  return numberIds(renderSegments(html, data))
}

/** MJML gives menus and carousels random ids. */
export function numberIds(html: string): string {
  if (!/mj-carousel|mj-menu/.test(html)) return html
  const ids = new Map<string, number>()
  return html.replaceAll(/(?<![\da-f])[\da-f]{16}(?![\da-f])/g, id => {
    const number = ids.get(id) ?? ids.size
    ids.set(id, number)
    return `id-${number}`
  })
}

async function outcome(html: () => Promise<string>): Promise<Rendered> {
  try {
    return { html: await html() }
  } catch (error) {
    if (error instanceof ContentError)
      return { faults: error.errors.map(({ fault }) => fault.code).join(' ') }
    throw error
  }
}
