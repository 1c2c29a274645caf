import { createHash } from 'node:crypto'
import { EmmaError } from '@emma/contract/errors.ts'
import {
  type ProcessMailContent,
  shippedProcessMail,
} from '@emma/contract/process-mails/shipped-process-mail.ts'
import type { Db } from '@emma/db/connection.ts'
import { type MergeData, renderSegments, type Segments } from '@emma/mail/segments.ts'
import { compileContent } from '@emma/mail/template/compile-content.ts'
import { RenderError } from '@emma/mail/template/template-error.ts'
import { messageOfProcess } from './check-process-mail.ts'
import { readContent, withFieldErrors } from './compile-message.ts'
import { findProcessMail } from './process-mail.ts'
import { findClientFields } from './render-message.ts'

type Language = ProcessMailContent['lang']
type Page = 'page_error' | 'page_thanks' | 'page_unsub'

export interface PageRequest {
  process: Page
  lang: Language
  /** Null: unknown, so that the page has no sender. */
  clientId: number | null
  /** The recipient, if known: pages show the address alone, as reading more would wait for imports. */
  member?: { email: string }
  /** The form that the recipient used, which may choose the page. */
  formId?: number | null
  /** Token of the recipient's links. */
  pageToken?: string
}

/** Caches compiled pages by name. */
export interface PageCache {
  get(name: string, make: () => Promise<Segments | null>): Promise<Segments | null>
}

/**
 * Renders a landing page for a recipient: the client's own, or the shipped one. An own page that cannot be rendered any
 * more, as a placeholder module it uses was deleted, gives way to the shipped one.
 * @returns an HTML document of the client; values are escaped, but its own markup is not
 */
export async function renderProcessPage(db: Db, request: PageRequest, compiled: PageCache): Promise<string> {
  const { process, lang, clientId, member, formId = null, pageToken = '' } = request
  const client = clientId === null ? {} : await findClientFields(db, clientId)
  const data: MergeData = { member: { ...member }, campaign: {}, client, token: '', pageToken }
  const shipped = () => renderShipped(process, lang, data, compiled)
  if (clientId === null) return shipped()
  const mail = await findProcessMail(db, clientId, process, lang, formId)
  if (mail.pmt_id === null) return shipped()
  try {
    const source = await readContent(db, clientId, messageOfProcess(mail), pageBase)
    const name = createHash('sha256').update(JSON.stringify(source)).digest('base64')
    const segments = await compiled.get(`${clientId}/${name}`, () =>
      withFieldErrors(source, async () => (await compileContent(source)).html),
    )
    return withOwnHost(renderSegments(segments ?? [], data))
  } catch (error) {
    if (error instanceof RenderError || (error instanceof EmmaError && error.code === 'invalid'))
      return shipped()
    throw error
  }
}

/** Renders the shipped page without the database. */
async function renderShipped(
  process: Page,
  lang: Language,
  data: MergeData,
  compiled: PageCache,
): Promise<string> {
  const segments = await compiled.get(`${process} ${lang}`, async () => {
    const { html } = await compileContent({
      subject: '',
      preheader: '',
      html: shippedProcessMail(process, lang).body_long,
      text: '',
      modules: [],
      known: { member: ['email'], client: ['name'] },
      trackingBase: pageBase,
      isTracked: false,
      language: lang,
    })
    return html
  })
  return withOwnHost(renderSegments(segments ?? [], data))
}

/** Stands for the host that shows the page; the recipient may have come by any tracking domain. */
const pageBase = 'https://page.invalid'

function withOwnHost(html: string): string {
  return html.replaceAll(`${pageBase}/`, '/')
}
