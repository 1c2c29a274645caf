import type { RecordOf } from '@emma/client/emma-client.ts'
import { currencies, type PriceTier, priceTierLimits, priceTiers } from '@emma/contract/price-tiers.ts'
import type { client } from '@emma/contract/resources/client.ts'
import { faultOfIssue } from '@emma/contract/schema-faults.ts'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import type { FormPart } from '@emma/ui/form/form-part.ts'
import { FormRow, FormSection } from '@emma/ui/form/record-form.tsx'
import { useFormat, useLocale } from '@emma/ui/i18n.tsx'
import { ActionIcon, Button, Group, Input, NumberInput, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'

type Billing = Pick<RecordOf<typeof client>, 'send_volume_limit' | 'price_tiers' | 'currency'>

/** Limit and prices of a client's emails a month. */
export function BillingFields({ form }: { form: FormPart<Billing> }): ReactNode {
  const { t } = useTranslation()
  return (
    <FormSection
      title={t('platform.client.sections.billing')}
      description={t('platform.client.sections.billing_text')}
    >
      <FormRow>
        <NumberField form={form} name="send_volume_limit" decimals={0} min={1} max={priceTierLimits.emails} />
        <ChoiceField
          form={form}
          name="currency"
          choices={currencies.map(value => ({ value, label: value }))}
        />
      </FormRow>
      <PriceTiers form={form} />
    </FormSection>
  )
}

/** Emails by which a further tier begins later than the one before. */
const STEP = 100_000

function PriceTiers({ form }: { form: FormPart<Billing> }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const separators = useSeparators()
  const text = (key: string, options = {}) => t(`platform.client.prices.${key}`, options)
  const field = form.field('price_tiers')
  const tiers = form.values.price_tiers
  const change = (index: number, next: Partial<PriceTier>) =>
    field.set(tiers.map((tier, at) => (at === index ? { ...tier, ...next } : tier)))
  return (
    <Input.Wrapper id={field.id} labelElement="div" label={field.label} error={field.error}>
      {tiers.length === 0 && (
        <Text size="sm" c="dimmed" mb="xs">
          {text('none')}
        </Text>
      )}
      {tiers.map(({ from, price_per_thousand: price }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- tiers have no key while they are edited
        <Group key={index} gap="xs" mb="xs" wrap="nowrap" align="flex-end">
          <NumberInput
            {...separators}
            flex={1}
            label={text('from')}
            value={from}
            disabled={index === 0}
            allowDecimal={false}
            allowNegative={false}
            max={priceTierLimits.emails}
            hideControls
            onChange={value => change(index, { from: Number(value) })}
          />
          <NumberInput
            {...separators}
            flex={1}
            label={text('price')}
            value={price}
            suffix={` ${form.values.currency}`}
            decimalScale={priceTierLimits.decimals}
            allowNegative={false}
            max={priceTierLimits.price}
            hideControls
            onChange={value => change(index, { price_per_thousand: Number(value) })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            mb={4}
            aria-label={text('remove', { from: format.number(from) })}
            disabled={index === 0 && tiers.length > 1}
            onClick={() => field.set(tiers.filter((_, at) => at !== index))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} />}
        disabled={tiers.length >= priceTierLimits.tiers}
        onClick={() => {
          const last = tiers.at(-1)
          const from = last ? last.from + STEP : 0
          field.set([...tiers, { from, price_per_thousand: last?.price_per_thousand ?? 0 }])
        }}
      >
        {text('add')}
      </Button>
    </Input.Wrapper>
  )
}

/** Separators of numbers in the user's locale. */
function useSeparators() {
  const locale = useLocale()
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.8)
  const find = (type: 'group' | 'decimal') => parts.find(part => part.type === type)?.value ?? ''
  return { thousandSeparator: find('group'), decimalSeparator: find('decimal') }
}

/** Why prices cannot be saved; null if they can. */
export function priceFault(tiers: readonly PriceTier[]): string | null {
  const [issue] = priceTiers.safeParse(tiers).error?.issues ?? []
  return issue ? textOfFault(faultOfIssue(issue)) : null
}
