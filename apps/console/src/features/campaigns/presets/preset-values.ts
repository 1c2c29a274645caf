import { initialValues } from '@emma/contract/resource-schemas.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { presetFields, type PresetValues } from '@emma/contract/resources/campaign-preset.ts'
import type { CampaignValues } from '../editor/campaign-fields.ts'

type PresetField = keyof CampaignValues & keyof PresetValues

const blank: Readonly<Record<string, unknown>> = initialValues(campaign)
const sameAs = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Settings of the form that differ from an empty campaign: what a preset of it holds. */
export function valuesForPreset(values: CampaignValues): PresetValues {
  const given = Object.entries(values).filter(
    ([field, value]) =>
      presetFields.some(name => name === field) && value !== '' && !sameAs(value, blank[field] ?? null),
  )
  return Object.fromEntries(given)
}

/**
 * Settings of a preset for the form: those of fields that nobody has filled in.
 *
 * @param taken values of the form, to apply a preset over; typed ones stay
 */
export function valuesFromPreset(
  preset: PresetValues,
  taken: Partial<CampaignValues>,
): Partial<CampaignValues> {
  const applied = Object.entries(preset).filter(([field]) => {
    const current: unknown = Reflect.get(taken, field)
    return field in taken && (current === '' || sameAs(current ?? null, blank[field] ?? null))
  })
  return Object.fromEntries(applied) as Partial<Pick<CampaignValues, PresetField>>
}
