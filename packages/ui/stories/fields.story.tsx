import { Code, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ChoiceField } from '../src/form/fields/choice-field.tsx'
import { ColorField } from '../src/form/fields/color-field.tsx'
import { DateField, DateTimeField } from '../src/form/fields/date-time-field.tsx'
import { NumberField, PercentField } from '../src/form/fields/number-field.tsx'
import { TagField } from '../src/form/fields/tag-field.tsx'
import { FormRow, FormSection, RecordForm } from '../src/form/record-form.tsx'
import { useRecordForm } from '../src/form/use-record-form.ts'
import { useLanguage, useTimeZone, I18nProvider } from '../src/i18n.tsx'
import { storyMessages } from './story-messages.ts'
import type { Story } from './story.ts'

const labels = {
  amount: 'Amount',
  places: 'Four places',
  share: 'Share',
  start: 'Start',
  day: 'Day',
  unit: 'Speed per',
  tags: 'Tags',
  color: 'Colour',
}
const record = {
  amount: 1234.5,
  places: 0.125,
  share: 12.5,
  start: '2026-11-24T09:00:00Z',
  day: '2026-12-24',
  unit: 'hour',
  tags: ['autumn', 'shop'],
  color: '#e8590c',
  revision: 1,
}
type Values = { [K in keyof typeof record]: (typeof record)[K] | null }

function Fields(): ReactNode {
  const form = useRecordForm<Values, Values>({
    resource: { name: 'story-fields', required: { create: [] } },
    recordKey: 1,
    record,
    toValues: stored => stored ?? record,
    labels,
    save: values => Promise.resolve(values),
  })
  const zone = useTimeZone()
  return (
    <RecordForm form={form}>
      <FormSection
        title="Numbers"
        description="1.234,5 and 1,234.5 are the same; 1.234 follows the language; words become 0."
      >
        <FormRow>
          <NumberField form={form} name="amount" />
          <NumberField form={form} name="places" decimals={4} />
        </FormRow>
        <PercentField form={form} name="share" />
      </FormSection>
      <FormSection title="Times" description={`On the clock of ${zone ?? 'the browser'}; kept in UTC.`}>
        <FormRow>
          <DateTimeField form={form} name="start" />
          <DateField form={form} name="day" />
        </FormRow>
      </FormSection>
      <FormSection title="Others">
        <TagField form={form} name="tags" />
        <ColorField form={form} name="color" />
        <ChoiceField
          form={form}
          name="unit"
          look="segments"
          choices={['minute', 'hour', 'day'].map(value => ({ value, label: value }))}
        />
      </FormSection>
      <Code block data-values>
        {JSON.stringify(form.values, null, 1)}
      </Code>
    </RecordForm>
  )
}

function InZone({ timeZone }: { timeZone: string }): ReactNode {
  const language = useLanguage()
  return (
    <I18nProvider language={language} messages={storyMessages[language]} timeZone={timeZone}>
      <Zoned />
    </I18nProvider>
  )
}

function Zoned(): ReactNode {
  const zone = useTimeZone() ?? ''
  const form = useRecordForm<{ start: string | null }, { start: string | null }>({
    resource: { name: `story-zone-${zone}`, required: { create: [] } },
    recordKey: 1,
    record: { start: record.start },
    toValues: stored => stored ?? { start: null },
    labels: { start: `Start, ${zone}` },
    save: values => Promise.resolve(values),
  })
  return (
    <div>
      <DateTimeField form={form} name="start" />
      <Code>{form.values.start}</Code>
    </div>
  )
}

export const stories: readonly Story[] = [
  { title: 'Read as people write', render: () => <Fields /> },
  {
    title: 'One instant in three time zones',
    render: () => (
      <Stack maw={360}>
        {['Europe/Berlin', 'America/New_York', 'Asia/Kolkata'].map(zone => (
          <InZone key={zone} timeZone={zone} />
        ))}
      </Stack>
    ),
  },
]
