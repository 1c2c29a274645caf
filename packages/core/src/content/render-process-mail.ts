import { reasonOf } from '@emma/contract/faults.ts'
import type { ProcessMailContent } from '@emma/contract/process-mails/shipped-process-mail.ts'
import { isPage } from '@emma/contract/resources/pmt.ts'
import type { Db } from '@emma/db/connection.ts'
import { checkProcessMail, messageOfProcess, warningsOfProcess } from './check-process-mail.ts'
import { readContent, withFieldErrors } from './compile-message.ts'
import { findClientFields, type PreviewContent, sampleRecipient } from './render-message.ts'

/**
 * Renders a process mail for the sample recipient. Faults that prevent saving come first among the warnings, except
 * those of the template itself, which throw.
 *
 * @param hasCanvas also renders the canvas of the visual editor
 * @throws EmmaError `invalid` when the template cannot be compiled
 */
export async function renderProcessMail(
  db: Db,
  clientId: number,
  mail: ProcessMailContent,
  trackingBase: string,
  previewContent: PreviewContent,
  hasCanvas = false,
) {
  const source = await readContent(db, clientId, messageOfProcess(mail), trackingBase)
  if (isPage(mail.process)) source.known = { ...source.known, member: Object.keys(memberOfPage) }
  const data = {
    member: isPage(mail.process) ? memberOfPage : sampleRecipient,
    campaign: {},
    client: await findClientFields(db, clientId),
    token: 'preview',
    pageToken: 'preview',
  }
  const preview = await withFieldErrors(source, () => previewContent(clientId, source, data, hasCanvas))
  const faults = checkProcessMail(mail, source.modules).map(({ field, ...fault }) => ({
    code: 'process',
    severity: 'error' as const,
    part: partOfField[field] ?? 'html',
    ...reasonOf(fault),
  }))
  return { ...preview, headers: {}, warnings: [...faults, ...warningsOfProcess(mail, preview.warnings)] }
}

/** The data that a page may show of its recipient. */
const memberOfPage = { email: sampleRecipient.email }

const partOfField: Readonly<Record<string, string>> = { subject: 'subject', body_text: 'text' }
