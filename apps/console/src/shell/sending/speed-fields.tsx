import { throttleUnits } from '@emma/contract/resources/mailclass.ts'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { FormRow } from '@emma/ui/form/record-form.tsx'
import type { FormPart } from '@emma/ui/form/form-part.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeliveryValues } from './sending-values.ts'

interface SpeedFieldsProps {
  form: FormPart<DeliveryValues>
}

/** Fields of the campaign's rate limit: the only ones that may change while it is paused. */
export function SpeedFields({ form }: SpeedFieldsProps): ReactNode {
  const { t } = useTranslation()
  return (
    <FormRow>
      <NumberField
        form={form}
        name="throttle"
        min={0}
        decimals={0}
        description={t('campaigns.hints.throttle')}
      />
      <ChoiceField
        form={form}
        name="throttle_unit"
        description={t('campaigns.hints.throttle_unit')}
        choices={throttleUnits.map(value => ({ value, label: t(`campaigns.units.${value}`) }))}
      />
    </FormRow>
  )
}
