import { EmmaError } from '@emma/contract/errors.ts'
import type { CountQuestion } from '../audience/segments/count-segment.ts'
import type { Fields } from '../resource/operations.ts'

/**
 * Audience of a campaign as parameters of countSegment, evaluated at its start time if that is in the future.
 *
 * @throws EmmaError `invalid` while it has no segment
 */
export function audienceQuestion(campaign: Fields): CountQuestion {
  const { list_id, startdate, capping_id, message_id, campagne_id } = campaign
  if (typeof list_id !== 'number')
    throw new EmmaError('invalid', 'The campaign has no segment yet', [
      { field: 'list_id', message: 'is required' },
    ])
  const start = typeof startdate === 'string' ? new Date(startdate) : null
  return {
    list_id,
    excludes: numbers(campaign.exclude_list_ids),
    blacklist_ids: numbers(campaign.blacklist_ids),
    capping_id: typeof capping_id === 'number' ? capping_id : null,
    message_id: typeof message_id === 'number' ? message_id : null,
    campaign_id: typeof campagne_id === 'number' ? campagne_id : null,
    at: start && start.getTime() > Date.now() ? start : null,
  }
}

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.map(Number) : []
}
