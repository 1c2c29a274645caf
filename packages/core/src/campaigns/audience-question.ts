import { fieldError, EmmaError } from '@emma/contract/errors.ts'
import type { CountQuestion } from '../audience/segments/count-segment.ts'
import type { Campaign } from './campaign-operations.ts'
import { fault } from '@emma/contract/faults.ts'

/**
 * Audience of a campaign as parameters of countSegment, evaluated at its start time if that is in the future.
 *
 * @throws EmmaError `invalid` while it has no segment
 */
export function audienceQuestion(campaign: Campaign): CountQuestion {
  const { list_id, startdate, capping_id, message_id, campagne_id, send_once_key } = campaign
  if (list_id === null)
    throw new EmmaError('invalid', fault('refusal.no_segment'), [fieldError('list_id', 'field.required')])
  const start = startdate === null ? null : new Date(startdate)
  return {
    list_id,
    excludes: campaign.exclude_list_ids,
    blacklist_ids: campaign.blacklist_ids,
    capping_id,
    send_once_key,
    message_id,
    campaign_id: campagne_id,
    at: start && start.getTime() > Date.now() ? start : null,
  }
}
