import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import type { ReactNode } from 'react'
import { CodeEditor } from '../src/code/code-editor.tsx'
import { notify } from '../src/feedback/notify.tsx'
import { CheckboxField, SwitchField } from '../src/form/fields/checkbox-field.tsx'
import { ChoiceField } from '../src/form/fields/choice-field.tsx'
import { ColorField } from '../src/form/fields/color-field.tsx'
import { DateField, DateTimeField } from '../src/form/fields/date-time-field.tsx'
import { NumberField, PercentField } from '../src/form/fields/number-field.tsx'
import { TagField } from '../src/form/fields/tag-field.tsx'
import { PasswordField, TextAreaField, TextField } from '../src/form/fields/text-field.tsx'
import { FormRow, FormSection, RecordForm } from '../src/form/record-form.tsx'
import { useRecordForm } from '../src/form/use-record-form.ts'
import type { Story } from './story.ts'

interface Sender {
  name: string
  subject: string | null
  relay_host: string | null
  copy_from: string | null
  type: 'bulk' | 'transactional' | 'test'
  unit: 'minute' | 'hour' | 'day'
  throttle: number | null
  share: number | null
  tags: string[]
  color: string | null
  startdate: string | null
  day: string | null
  password: string | null
  active: boolean
  tracked: boolean
  note: string | null
}

const empty: Sender = {
  name: '',
  subject: '',
  relay_host: '',
  copy_from: '',
  type: 'bulk',
  unit: 'hour',
  throttle: null,
  share: null,
  tags: [],
  color: null,
  startdate: null,
  day: null,
  password: '',
  active: true,
  tracked: false,
  note: '',
}

const labels = {
  name: 'Name',
  subject: 'Subject',
  type: 'Type',
  unit: 'Speed per',
  throttle: 'Speed',
  share: 'Test share',
  relay_host: 'Relay host',
  copy_from: 'Copy from',
  tags: 'Tags',
  color: 'Colour',
  startdate: 'Start',
  day: 'Due day',
  password: 'Password',
  active: 'Active',
  tracked: 'Track opens and clicks',
  note: 'Note',
}

const stored = {
  ...empty,
  name: 'Autumn newsletter',
  subject: 'Three ideas for rainy days, and a warm discount for everybody who stayed with us',
  relay_host: 'mx.example.com',
  throttle: 12_500,
  share: 12.5,
  tags: ['autumn', 'shop'],
  color: '#e8590c',
  startdate: '2026-11-24T09:00:00Z',
  day: '2026-12-24',
  revision: 4,
}
type StoredSender = Sender & { revision: number }

function Example(props: {
  name: string
  record: StoredSender | null
  save: (values: Sender, revision: number | undefined) => Promise<StoredSender>
  reload?: () => Promise<StoredSender>
}): ReactNode {
  const form = useRecordForm<Sender, StoredSender>({
    resource: { name: `story-${props.name}`, required: { create: ['name'] } },
    recordKey: props.record ? 1 : null,
    record: props.record,
    toValues: record => record ?? empty,
    labels,
    required: ['name', 'type', ['relay_host', 'copy_from'], 'startdate'],
    secret: ['password'],
    save: (values, { revision }) => props.save(values, revision),
    ...(props.reload ? { reload: props.reload } : {}),
    onSaved: () => void notify.success('Saved'),
  })
  return (
    <RecordForm
      form={form}
      removal={{
        name: 'Autumn newsletter',
        run: () => Promise.resolve(),
        restore: () => Promise.resolve(),
        onRemoved: () => {},
      }}
    >
      <FormSection title="General" description="What your team sees. Recipients never see the name.">
        <TextField form={form} name="name" />
        <TextField form={form} name="subject" maxLength={90} description="Shown in the inbox" />
        <ChoiceField
          form={form}
          name="type"
          look="radio"
          choices={[
            { value: 'bulk', label: 'Bulk', description: 'Newsletters and campaigns' },
            { value: 'transactional', label: 'Transactional', description: 'Orders, passwords, receipts' },
            { value: 'test', label: 'Test' },
          ]}
        />
        <TagField form={form} name="tags" />
        <TextAreaField form={form} name="note" />
      </FormSection>
      <FormSection title="Sending" description="How fast the mails leave, and when.">
        <FormRow>
          <NumberField form={form} name="throttle" decimals={0} min={0} suffix="mails" />
          <ChoiceField
            form={form}
            name="unit"
            look="segments"
            choices={[
              { value: 'minute', label: 'Minute' },
              { value: 'hour', label: 'Hour' },
              { value: 'day', label: 'Day' },
            ]}
          />
        </FormRow>
        <FormRow>
          <DateTimeField form={form} name="startdate" />
          <DateField form={form} name="day" />
        </FormRow>
        <PercentField form={form} name="share" />
        <FormRow>
          <TextField form={form} name="relay_host" isMonospaced />
          <TextField form={form} name="copy_from" />
        </FormRow>
        <PasswordField form={form} name="password" />
        <ColorField form={form} name="color" />
        <SwitchField form={form} name="active" />
        <CheckboxField form={form} name="tracked" description="Adds a pixel and rewrites links" />
      </FormSection>
    </RecordForm>
  )
}

/** A code editor is not disabled while the form is saving. */
function Open(): ReactNode {
  const form = useRecordForm<{ source: string }, { source: string; revision: number }>({
    resource: { name: 'story-open', required: { create: [] } },
    recordKey: 1,
    record: source,
    toValues: record => ({ source: record?.source ?? '' }),
    labels: { source: 'Source' },
    save: values => later(() => ({ ...values, revision: 2 })),
    onSaved: () => void notify.success('Saved'),
  })
  const field = form.field('source')
  return (
    <RecordForm form={form}>
      <FormSection title="Source">
        <CodeEditor
          label={field.label}
          language="text"
          height={120}
          value={form.values.source}
          onChange={field.set}
        />
      </FormSection>
    </RecordForm>
  )
}

const source = { source: '', revision: 1 }

const later = <T,>(answer: () => T) => new Promise<T>(resolve => setTimeout(() => resolve(answer()), 400))

export const stories: readonly Story[] = [
  {
    title: 'A record',
    render: () => (
      <Example name="record" record={stored} save={values => later(() => ({ ...values, revision: 5 }))} />
    ),
  },
  {
    title: 'A new record; the server refuses',
    render: () => (
      <Example
        name="new"
        record={null}
        save={() =>
          Promise.reject(
            invalid([
              fieldError('name', 'field.letters'),
              fieldError('tags.0', 'field.too_long', { max: 30 }),
              fieldError('client_id', 'field.required'),
            ]),
          )
        }
      />
    ),
  },
  {
    title: 'Changed by somebody else: type a new name and save',
    render: () => (
      <Example
        name="conflict"
        record={stored}
        save={(values, revision) => {
          if (revision === 4) return Promise.reject(new EmmaError('faulty_revision'))
          return later(() => ({ ...values, revision: 6 }))
        }}
        reload={() =>
          later(() => ({ ...stored, name: 'Autumn news', throttle: 9000, active: false, revision: 5 }))
        }
      />
    ),
  },
  { title: 'An editor in a form', render: () => <Open /> },
]
