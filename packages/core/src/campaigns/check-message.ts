import { EmmaError } from '@emma/contract/errors.ts'
import { fault, reasonOf } from '@emma/contract/faults.ts'
import { isMissing } from '@emma/contract/resource-schemas.ts'
import type { Db } from '@emma/db/connection.ts'
import type { ShownValue } from '@emma/mail/template/check-variables.ts'
import { type Compiler, compileMessage, templateFindings } from '../content/compile-message.ts'
import { findLinks } from '../content/message-operations.ts'
import type { Campaign } from './campaign-operations.ts'
import type { BlockingFinding } from './finding.ts'

export interface CheckedContent {
  findings: BlockingFinding[]
  /** Values that the mail displays. */
  shown: readonly ShownValue[]
}

/** Checks the template of a campaign with its subject. */
export async function checkMessage(db: Db, campaign: Campaign, compiler: Compiler): Promise<CheckedContent> {
  if (campaign.message_id === null) return { findings: [], shown: [] }
  const clientId = campaign.client_id
  const messageId = campaign.message_id
  const message = await db
    .selectFrom('message')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('message_id', '=', messageId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!message) {
    const reason = reasonOf(fault('campaign.message_gone'))
    return { findings: [{ code: 'no_message', field: 'message_id', ...reason, blocks: true }], shown: [] }
  }
  const subject = isMissing(campaign.subject) ? message.subject : campaign.subject
  const urls = await findLinks(db, clientId, messageId)
  try {
    const memberTableId = await datasourceOf(db, campaign)
    const record = { ...message, subject, urls }
    const compiled = await compileMessage(db, clientId, record, compiler, memberTableId)
    const findings = compiled.warnings.map(({ code, severity, reason, values, message }) => ({
      code,
      field: 'message_id',
      reason,
      values,
      message,
      blocks: severity === 'error' || blocking.has(code),
    }))
    return { findings, shown: compiled.shown }
  } catch (error) {
    if (!(error instanceof EmmaError)) throw error
    const findings = templateFindings(error)
    return {
      findings: findings.map(finding => ({ ...finding, field: 'message_id', blocks: true })),
      shown: [],
    }
  }
}

/** Datasource of the campaign's segment; null without a segment. */
async function datasourceOf(db: Db, { client_id, list_id }: Campaign): Promise<number | null> {
  if (list_id === null) return null
  const list = await db
    .selectFrom('list')
    .select('member_table_id')
    .where('client_id', '=', client_id)
    .where('list_id', '=', list_id)
    .executeTakeFirst()
  return list?.member_table_id ?? null
}

/** Warnings of the compiler that block the start. */
const blocking = new Set(['no-subject', 'no-unsubscribe', 'mandatory-module-missing', 'empty-part'])
