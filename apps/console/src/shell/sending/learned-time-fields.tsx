import { type LearnedTime, learnedTime } from '@emma/contract/learned-time.ts'
import { FormRow } from '@emma/ui/form/record-form.tsx'
import type { FormPart } from '@emma/ui/form/form-part.ts'
import { Input, NumberInput, Stack, Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LearnedTimePreview, type PreviewValues } from './learned-time-preview.tsx'
import type { SendingValues } from './sending-values.ts'

interface LearnedTimeFieldsProps {
  form: FormPart<Pick<SendingValues, 'learned_time'> & PreviewValues>
}

const limits = {
  control_percent: { min: 5, max: 50, suffix: ' %' },
  explore_percent: { min: 0, max: 50, suffix: ' %' },
  min_observations: { min: 3, max: 50, suffix: '' },
} as const satisfies Record<keyof LearnedTime, object>

/** Fields of learned send times, with what they mean for the audience. */
export function LearnedTimeFields({ form }: LearnedTimeFieldsProps): ReactNode {
  const { t } = useTranslation()
  const field = form.field('learned_time')
  const learned = form.values.learned_time
  const numbers = (['control_percent', 'explore_percent', 'min_observations'] as const).map(name => (
    <NumberInput
      key={name}
      label={t(`campaigns.learned_time.${name}`)}
      description={t(`campaigns.learned_time.${name}_text`)}
      disabled={field.isDisabled}
      allowDecimal={false}
      clampBehavior="blur"
      {...limits[name]}
      value={learned?.[name] ?? ''}
      onChange={value => learned && field.set({ ...learned, [name]: Number(value) || limits[name].min })}
    />
  ))
  return (
    <Stack gap="sm" id={field.id} tabIndex={-1}>
      <Switch
        size="sm"
        label={field.label}
        description={t('campaigns.learned_time.text')}
        disabled={field.isDisabled}
        checked={learned !== null}
        onChange={event => field.set(event.currentTarget.checked ? learnedTime.parse({}) : null)}
      />
      {learned && (
        <>
          <FormRow>{numbers}</FormRow>
          <LearnedTimePreview learned={learned} values={form.values} />
        </>
      )}
      {field.error && (
        <Input.Error role="alert" size="sm">
          {field.error}
        </Input.Error>
      )}
    </Stack>
  )
}
