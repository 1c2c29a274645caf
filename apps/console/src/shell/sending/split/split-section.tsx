import { type Split, type SplitVariant, MOST_VARIANTS, split as splitField } from '@emma/contract/split.ts'
import { list } from '@emma/contract/resources/list.ts'
import { FormSection } from '@emma/ui/form/record-form.tsx'
import type { FormPart } from '@emma/ui/form/form-part.ts'
import { Select } from '@emma/ui/select/select.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { Button, Input, NumberInput, Stack, Switch } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../session/api.ts'
import type { AudienceValues } from '../audience-count.tsx'
import type { SendingValues } from '../sending-values.ts'
import { DecisionFields } from './decision-fields.tsx'
import { SplitPower } from './split-power.tsx'
import { VariantFields } from './variant-fields.tsx'
import classes from './split.module.css'

interface SplitSectionProps {
  form: FormPart<
    AudienceValues & Pick<SendingValues, 'split' | 'subject' | 'fromname' | 'fromadr' | 'reply_to'>
  >
}

const blankVariant: SplitVariant = {
  message_id: null,
  subject: null,
  fromadr: null,
  fromname: null,
  reply_to: null,
  delay_minutes: 0,
}

/** Section of the A/B test and the holdout group; both are off until somebody wants them. */
export function SplitSection({ form, description }: SplitSectionProps & { description: string }): ReactNode {
  const { t } = useTranslation()
  const { split } = form.values
  const { error, isDisabled } = form.field('split')
  const variants = split?.variants ?? []
  // What was written is there again when the test is switched on again.
  const [kept, setKept] = useState<SplitVariant[]>([])
  const change = (part: Partial<Split>) => {
    const next = { ...(split ?? splitField.parse({})), ...part }
    form.set('split', next.variants.length === 0 && next.holdout_percent === 0 ? null : next)
  }
  const setTest = (isOn: boolean) => {
    if (!isOn) setKept(variants)
    change({ variants: isOn ? (kept.length > 0 ? kept : [blankVariant]) : [] })
  }
  return (
    <FormSection id="split" title={t('campaigns.split.title')} description={description}>
      <div id={form.idOf('split')} tabIndex={-1} className={classes.section}>
        <Switch
          label={t('campaigns.split.on')}
          disabled={isDisabled}
          checked={variants.length > 0}
          onChange={event => setTest(event.currentTarget.checked)}
        />
        {split && variants.length > 0 && (
          <>
            <Variants form={form} variants={variants} onChange={next => change({ variants: next })} />
            <DecisionFields split={split} onChange={change} />
            <SplitPower split={split} values={form.values} />
          </>
        )}
        <Holdout split={split} isDisabled={isDisabled} onChange={change} />
        {split && (split.holdout_percent > 0 || split.winner_by === 'conversions') && (
          <GoalSegment value={split.goal_list_id} onChange={goal_list_id => change({ goal_list_id })} />
        )}
        {error && (
          <Input.Error role="alert" size="sm">
            {error}
          </Input.Error>
        )}
      </div>
    </FormSection>
  )
}

interface VariantsProps extends SplitSectionProps {
  variants: readonly SplitVariant[]
  onChange: (variants: SplitVariant[]) => void
}

function Variants({ form, variants, onChange }: VariantsProps): ReactNode {
  const { t } = useTranslation()
  const items = useRef<HTMLOListElement>(null)
  const add = () => {
    onChange([...variants, blankVariant])
    requestAnimationFrame(() =>
      items.current?.querySelector<HTMLInputElement>(':scope > li:last-child input')?.focus(),
    )
  }
  return (
    <Stack gap="sm">
      <ol ref={items} className={classes.variants} aria-label={t('campaigns.split.variants')}>
        <li className={classes.variant}>
          <span className={classes.letter}>A</span>
          <span className={classes.own}>
            {t('campaigns.split.own')}
            {form.values.subject && <q>{form.values.subject}</q>}
          </span>
        </li>
        {variants.map((variant, index) => (
          <VariantFields
            // oxlint-disable-next-line react/no-array-index-key -- variants have no id, and all of their values change
            key={index}
            index={index + 1}
            variant={variant}
            own={form.values}
            onChange={next => onChange(variants.with(index, next))}
            onRemove={variants.length > 1 ? () => onChange(variants.toSpliced(index, 1)) : undefined}
          />
        ))}
      </ol>
      {variants.length < MOST_VARIANTS - 1 && (
        <Button w="fit-content" variant="default" leftSection={<IconPlus size={16} />} onClick={add}>
          {t('campaigns.split.add')}
        </Button>
      )}
    </Stack>
  )
}

interface HoldoutProps {
  split: Split | null
  isDisabled: boolean
  onChange: (part: Partial<Split>) => void
}

function Holdout({ split, isDisabled, onChange }: HoldoutProps): ReactNode {
  const { t } = useTranslation()
  return (
    <NumberInput
      label={t('campaigns.split.holdout')}
      description={t('campaigns.split.holdout_text')}
      disabled={isDisabled}
      min={0}
      max={50}
      allowDecimal={false}
      suffix=" %"
      maw={320}
      value={split?.holdout_percent ?? 0}
      onChange={value => onChange({ holdout_percent: Number(value) || 0 })}
    />
  )
}

interface GoalSegmentProps {
  value: number | null
  onChange: (value: number | null) => void
}

/** Segment of those who have reached the goal, such as "ordered in the last 7 days". */
function GoalSegment({ value, onChange }: GoalSegmentProps): ReactNode {
  const { t } = useTranslation()
  const id = useId()
  const segments = useMemo(
    () =>
      resourceSource(api, list, {
        toOption: row => ({ label: row.name }),
        sort: { field: 'name', descending: false },
      }),
    [],
  )
  return (
    <Input.Wrapper
      id={id}
      label={t('campaigns.split.goal')}
      description={t('campaigns.split.goal_text')}
      labelProps={{ htmlFor: id }}
    >
      <Select
        inputId={id}
        label={t('campaigns.split.goal')}
        source={segments}
        isClearable
        value={value}
        onChange={onChange}
      />
    </Input.Wrapper>
  )
}
