/** Text keys of choices, by `{area}.{resource}.{field}`, that do not follow the default pattern. */
const groups: Readonly<Record<string, string>> = {
  'audience.blacklist.match': 'audience.blacklist.matches',
  'audience.testaddress.addr_type': 'audience.testaddress.types',
  'campaigns.campaign.throttle_unit': 'campaigns.units',
  'campaigns.campaign.missed_policy': 'campaigns.missed_policies',
  'campaigns.campaign.unknown_policy': 'campaigns.unknown_policies',
  'content.message.lang': 'content.languages',
  'content.pmt.lang': 'content.languages',
  'content.pmt.process': 'content.pmt.processes',
  'deliverability.domain.status': 'deliverability.domain.states',
  'deliverability.mailclass.throttle_unit': 'deliverability.mailclass.units',
}

/**
 * Text key of a choice's value; by default the field in the plural: `deliverability.mailclass.types.bulk`.
 *
 * @param texts `{area}.{resource}`
 */
export function choiceText(texts: string, field: string, value: string): string {
  return `${groups[`${texts}.${field}`] ?? `${texts}.${field}s`}.${value}`
}
