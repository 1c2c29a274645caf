import type { RecordOf } from '@emma/client/emma-client.ts'
import { guidedTour } from '@emma/contract/resources/guided-tour.ts'
import { role } from '@emma/contract/resources/role.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { type RecordForm as Form, useRecordForm } from '@emma/ui/form/use-record-form.ts'
import { MultiSelectField } from '@emma/ui/select/select-field.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { Button, Group } from '@mantine/core'
import { IconPlayerPlay, IconPointer } from '@tabler/icons-react'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { refreshGuidance } from '../../../shell/guidance/guidance-query.ts'
import { recordingStore } from '../../../shell/guidance/recording-store.ts'
import { usePlayTour } from '../../../shell/guidance/use-tours.ts'
import {
  reloadRecord,
  removeRecord,
  restoreRecord,
  saveRecord,
} from '../../../shell/resource/record-calls.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useFieldLabels } from '../../../shell/i18n/use-field-labels.ts'
import { TourSteps } from './tour-steps.tsx'

type Tour = RecordOf<typeof guidedTour>

const path = '/system/guided-tours'
const fields = ['name', 'name_de', 'name_es', 'path', 'active', 'autoplay', 'roles', 'steps'] as const
type TourValues = Pick<Tour, (typeof fields)[number]>

const roles = resourceSource(api, role, { toOption: row => ({ label: row.name }), sort: { field: 'name' } })

/** Form of a guided tour. */
export default function TourEdit(): ReactNode {
  const { t } = useTranslation()
  return (
    <RecordPage
      resource={guidedTour}
      back={path}
      title={record => record?.name ?? t('tours.guided_tour.new')}
    >
      {(record, id) => <TourForm record={record} id={id} />}
    </RecordPage>
  )
}

function TourForm({ record, id }: { record: Tour | null; id: number | null }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const toList = () => void navigate({ to: path })
  const text = (key: string) => t(`tours.guided_tour.${key}`)
  const form = useRecordForm({
    resource: guidedTour,
    recordKey: id,
    record,
    toValues: (stored: Tour | null): TourValues => ({
      name: stored?.name ?? '',
      name_de: stored?.name_de ?? null,
      name_es: stored?.name_es ?? null,
      path: stored?.path ?? '/dashboard',
      active: stored?.active ?? true,
      autoplay: stored?.autoplay ?? false,
      roles: stored?.roles ?? [],
      steps: stored?.steps ?? [],
    }),
    labels: useFieldLabels(guidedTour, fields),
    validate: ({ path: screen, steps }) => ({
      path: /^\/(?!\/)/.test(screen) ? null : text('path_fault'),
      steps: steps.every(({ selector }) => selector.trim() !== '') ? null : text('selector_fault'),
    }),
    save: (values, change) => saveRecord(guidedTour, id, values, change),
    ...(id === null ? {} : { reload: () => reloadRecord(guidedTour, id) }),
    onSaved: saved => {
      notify.success(t('action.saved', { name: saved.name }))
      void refreshGuidance()
      // Opens the saved tour, so that its steps can be recorded.
      if (id === null) void navigate({ to: `${path}/edit/$id`, params: { id: String(saved.id) } })
    },
  })
  useRecordedSteps(id, form)
  return (
    <RecordForm
      form={form}
      removal={
        record
          ? {
              name: record.name,
              run: () => removeRecord(guidedTour, record.id),
              restore: () => restoreRecord(guidedTour, record.id),
              onRemoved: toList,
            }
          : undefined
      }
    >
      <FormSection title={text('sections.general')} description={text('sections.general_text')}>
        <TextField form={form} name="name" maxLength={255} />
        <TextField form={form} name="name_de" maxLength={255} description={text('name_hint')} />
        <TextField form={form} name="name_es" maxLength={255} description={text('name_hint')} />
        <TextField form={form} name="path" maxLength={500} description={text('path_hint')} isMonospaced />
        <SwitchField form={form} name="active" />
      </FormSection>
      <FormSection title={text('sections.audience')} description={text('sections.audience_text')}>
        <MultiSelectField form={form} name="roles" source={roles} description={text('roles_hint')} />
        <SwitchField form={form} name="autoplay" description={text('autoplay_hint')} />
      </FormSection>
      <FormSection title={text('sections.steps')} description={text('sections.steps_text')}>
        {id !== null && <RecordButtons id={id} form={form} />}
        <TourSteps form={form} />
      </FormSection>
    </RecordForm>
  )
}

/** Appends recorded steps to the form for editing. */
function useRecordedSteps(id: number | null, form: Form<TourValues>): void {
  const takeOver = useEffectEvent(() => {
    if (id === null || recordingStore.get()?.tourId !== id) return
    const recorded = recordingStore.take()
    if (recorded.length > 0) form.set('steps', [...form.values.steps, ...recorded])
  })
  useEffect(() => takeOver(), [])
}

function RecordButtons({ id, form }: { id: number; form: Form<TourValues> }): ReactNode {
  const { t } = useTranslation()
  const { history } = useRouter()
  const play = usePlayTour()
  const { name, name_de, name_es, steps, path: screen } = form.values

  async function record(): Promise<void> {
    // Saves the form before leaving the screen.
    if (form.isDirtyNow() && !(await form.submit())) return
    recordingStore.start({ id, name })
    history.push(screen)
  }

  return (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={<IconPointer size={16} stroke={1.7} />}
        onClick={() => void record()}
      >
        {t('tours.record')}
      </Button>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconPlayerPlay size={16} stroke={1.7} />}
        disabled={steps.length === 0 || form.isDirty}
        onClick={() => play({ id, name, name_de, name_es, path: screen, steps, autoplay: false, seen: true })}
      >
        {t('tours.play')}
      </Button>
    </Group>
  )
}
