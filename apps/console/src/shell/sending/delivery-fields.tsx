import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow } from '@emma/ui/form/record-form.tsx'
import type { FormPart } from '@emma/ui/form/form-part.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { OrderFields } from './order-fields.tsx'
import { SendOnceField } from './send-once-field.tsx'
import type { DeliveryValues } from './sending-values.ts'
import { SpeedFields } from './speed-fields.tsx'

interface DeliveryFieldsProps {
  form: FormPart<DeliveryValues>
  /** The segment, by whose columns the recipients can be sorted. */
  listId: number | null
  /** Above the policy for an unknown delivery status. */
  children?: ReactNode
}

/** Delivery options: speed, quiet hours, batches, order, send-once key, domains, placement check, unknown delivery status. */
export function DeliveryFields({ form, listId, children }: DeliveryFieldsProps): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <SpeedFields form={form} />
      <FormRow>
        <TextField
          form={form}
          name="quiet_from"
          placeholder="22:00"
          maxLength={5}
          description={t('campaigns.hints.quiet')}
        />
        <TextField form={form} name="quiet_to" placeholder="07:00" maxLength={5} />
      </FormRow>
      <FormRow>
        <NumberField
          form={form}
          name="window_mails"
          min={0}
          decimals={0}
          description={t('campaigns.hints.window_mails')}
        />
        {(form.values.window_mails ?? 0) > 0 && (
          <NumberField form={form} name="window_minutes" min={1} max={10_080} decimals={0} />
        )}
      </FormRow>
      <OrderFields form={form} listId={listId} />
      <SendOnceField form={form} />
      <SwitchField form={form} name="use_domain_pool" description={t('campaigns.hints.use_domain_pool')} />
      <SwitchField form={form} name="check_placement" description={t('campaigns.hints.check_placement')} />
      {children}
      <ChoiceField
        form={form}
        name="unknown_policy"
        look="radio"
        choices={(['leave', 'resend'] as const).map(value => ({
          value,
          label: t(`campaigns.unknown_policies.${value}`),
          description: t(`campaigns.unknown_policies.${value}_text`),
        }))}
      />
    </>
  )
}
