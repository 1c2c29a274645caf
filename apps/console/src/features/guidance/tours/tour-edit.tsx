import type { RecordOf } from '@emma/client/emma-client.ts'
import { guidedTour } from '@emma/contract/resources/guided-tour.ts'
import { role } from '@emma/contract/resources/role.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import type { RecordForm as Form } from '@emma/ui/form/use-record-form.ts'
import { MultiSelectField } from '@emma/ui/select/select-field.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { Button, Group } from '@mantine/core'
import { IconPlayerPlay, IconPointer } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { refreshGuidance } from '../../../shell/guidance/guidance-query.ts'
import { recordingStore } from '../../../shell/guidance/recording-store.ts'
import { usePlayTour } from '../../../shell/guidance/use-tours.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { type FieldValues, useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { TourSteps } from './tour-steps.tsx'

type Tour = RecordOf<typeof guidedTour>

const fields = ['name', 'name_de', 'name_es', 'path', 'active', 'autoplay', 'roles', 'steps'] as const
type TourValues = FieldValues<typeof guidedTour, (typeof fields)[number]>

const roles = resourceSource(api, role, { toOption: row => ({ label: row.name }), sort: { field: 'name' } })

/** Form of a guided tour. */
export default function TourEdit(): ReactNode {
  return <RecordPage resource={guidedTour}>{record => <TourForm record={record} />}</RecordPage>
}

function TourForm({ record }: { record: Tour | null }): ReactNode {
  const { t } = useTranslation()
  const id = record?.id ?? null
  const text = (key: string) => t(`tours.guided_tour.${key}`)
  const form = useResourceForm(guidedTour, record, {
    fields,
    initial: { path: '/dashboard' },
    validate: ({ path, steps }) => ({
      path: /^\/(?!\/)/.test(path) ? null : text('path_fault'),
      steps: steps.every(({ selector }) => selector.trim() !== '') ? null : text('selector_fault'),
    }),
    // Opens the saved tour, so that its steps can be recorded.
    afterCreate: 'record',
    onSaved: () => void refreshGuidance(),
  })
  useRecordedSteps(id, form)
  return (
    <RecordForm form={form}>
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
        onClick={() =>
          void play({ id, name, name_de, name_es, path: screen, steps, autoplay: false, seen: true })
        }
      >
        {t('tours.play')}
      </Button>
    </Group>
  )
}
