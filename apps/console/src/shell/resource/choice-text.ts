/** Where the values of a choice have their texts, by `{area}.{resource}.{field}`: those not named for their field. */
const groups: Readonly<Record<string, string>> = {
  'audience.testaddress.addr_type': 'audience.testaddress.types',
  'campaigns.campaign.throttle_unit': 'campaigns.units',
  'campaigns.campaign.missed_policy': 'campaigns.missed_policies',
  'campaigns.campaign.unknown_policy': 'campaigns.unknown_policies',
  'content.message.lang': 'content.languages',
  'deliverability.domain.status': 'deliverability.domain.states',
  'deliverability.mailclass.throttle_unit': 'deliverability.mailclass.units',
}

/**
 * Key of the text for a value of a choice: the field in the plural, `deliverability.mailclass.types.bulk`.
 *
 * @param texts `{area}.{resource}`
 */
export function choiceText(texts: string, field: string, value: string): string {
  return `${groups[`${texts}.${field}`] ?? `${texts}.${field}s`}.${value}`
}
