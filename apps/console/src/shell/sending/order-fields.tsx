import { sendOrders } from '@emma/contract/resources/campaign.ts'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { FormRow } from '@emma/ui/form/record-form.tsx'
import type { FormPart } from '@emma/ui/form/form-part.ts'
import { Input, NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeliveryValues } from './sending-values.ts'
import { useSegmentColumns } from './use-segment-columns.ts'

interface OrderFieldsProps {
  form: FormPart<DeliveryValues>
  listId: number | null
}

/** Fields of the order in which the recipients get their mail. */
export function OrderFields({ form, listId }: OrderFieldsProps): ReactNode {
  const { t } = useTranslation()
  const { send_order, order_column } = form.values
  const columns = useSegmentColumns(listId).map(({ column_name, label }) => ({ value: column_name, label }))
  const direction = form.field('order_descending')
  // A column that is gone is still shown, as the record has it.
  const gone =
    order_column === null || columns.some(({ value }) => value === order_column) ? [] : [order_column]
  return (
    <>
      <ChoiceField
        form={form}
        name="send_order"
        description={t(`campaigns.send_orders.${send_order}_text`)}
        choices={sendOrders.map(value => ({ value, label: t(`campaigns.send_orders.${value}`) }))}
      />
      {send_order === 'column' && (
        <FormRow>
          <ChoiceField
            form={form}
            name="order_column"
            emptyLabel={t('campaigns.send_orders.choose')}
            choices={[...columns, ...gone.map(value => ({ value, label: value }))]}
          />
          <Input.Wrapper id={direction.id} label={direction.label} error={direction.error}>
            <NativeSelect
              id={direction.id}
              disabled={direction.isDisabled}
              data={(['descending', 'ascending'] as const).map(value => ({
                value,
                label: t(`campaigns.send_orders.${value}`),
              }))}
              value={direction.value ? 'descending' : 'ascending'}
              onChange={event => direction.set(event.currentTarget.value === 'descending')}
            />
          </Input.Wrapper>
        </FormRow>
      )}
    </>
  )
}
