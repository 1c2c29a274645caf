import type { RecordOf } from '@emma/client/emma-client.ts'
import { legalKinds } from '@emma/contract/legal-document.ts'
import { isMissing } from '@emma/contract/resource-schemas.ts'
import type { campaign } from '@emma/contract/resources/campaign.ts'
import type { StepState } from '@emma/ui/layout/stepper.tsx'

export type Campaign = RecordOf<typeof campaign>

/** Steps of a campaign: four sections of its form, then the screens of test and check. */
export const campaignSteps = ['content', 'audience', 'sender', 'time', 'test', 'check'] as const
export type CampaignStep = (typeof campaignSteps)[number]

/** Required fields of each section of the form. */
const needed = {
  content: ['name', 'message_id'],
  audience: ['list_id'],
  sender: ['domain_id', 'fromadr', 'mailclass_id'],
  time: [],
} as const
export type FormStep = keyof typeof needed

const sectionOfField: Readonly<Record<string, FormStep>> = {
  name: 'content',
  message_id: 'content',
  subject: 'content',
  list_id: 'audience',
  exclude_list_ids: 'audience',
  blacklist_ids: 'audience',
  capping_id: 'audience',
  domain_id: 'sender',
  fromadr: 'sender',
  fromname: 'sender',
  reply_to: 'sender',
  mailclass_id: 'sender',
  esp_id: 'sender',
  startdate: 'time',
  throttle: 'time',
  quiet_from: 'time',
  quiet_to: 'time',
  send_once_key: 'time',
}

/** Field of the finding that a campaign is not approved, which is fixed on the screen of the check. */
export const APPROVAL_FIELD = 'approval'

/** Fields of findings that no section of the form contains: the approval, and documents that the client confirms. */
const outsideForm: readonly string[] = [APPROVAL_FIELD, ...legalKinds]

/** Section of the form that contains a field. */
export function stepOfField(field: string): FormStep {
  return sectionOfField[field] ?? 'content'
}

export type StepValues = Pick<Campaign, (typeof needed)[FormStep][number] | 'esp_id'>

/** A saved campaign; includes its message if the screen has requested it. */
export type TestedCampaign = Pick<Campaign, 'tested_at'> & { message?: unknown }

interface CheckFindings {
  errors: readonly { field: string }[]
  warnings: readonly { field: string }[]
}

/**
 * State of each step: by the required fields, the test of the saved campaign, and the findings of the check if it has
 * run.
 */
export function stepStates(
  values: StepValues,
  saved: TestedCampaign | null,
  check?: CheckFindings,
): Record<CampaignStep, StepState> {
  const of = (step: FormStep): StepState => {
    const concerns = ({ field }: { field: string }) =>
      !outsideForm.includes(field) && stepOfField(field) === step
    // A sending service replaces the mail class (R282).
    const isNeeded = (field: string) => field !== 'mailclass_id' || isMissing(values.esp_id)
    if (needed[step].some(field => isNeeded(field) && isMissing(values[field]))) return 'todo'
    if (check?.errors.some(concerns)) return 'error'
    return check?.warnings.some(concerns) ? 'warning' : 'done'
  }
  return {
    content: of('content'),
    audience: of('audience'),
    sender: of('sender'),
    time: of('time'),
    test: saved && isTested(saved) ? 'done' : 'todo',
    check: checkState(check),
  }
}

/** True if a test was accepted and the message has not changed since. */
function isTested({ tested_at, message }: TestedCampaign): boolean {
  if (tested_at === null) return false
  const changed: unknown = typeof message === 'object' && message ? Reflect.get(message, 'updated_at') : null
  return typeof changed !== 'string' || Date.parse(changed) <= Date.parse(tested_at)
}

function checkState(check: CheckFindings | undefined): StepState {
  if (!check) return 'todo'
  if (check.errors.length > 0) return 'error'
  return check.warnings.length > 0 ? 'warning' : 'done'
}

/** The sender as in a From header: `Name <address>`. */
export function senderOf({ fromname, fromadr }: Pick<Campaign, 'fromname' | 'fromadr'>): string {
  return [fromname, fromadr && `<${fromadr}>`].filter(Boolean).join(' ')
}
