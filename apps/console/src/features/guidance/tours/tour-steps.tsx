import { type TourStep, placements } from '@emma/contract/resources/guided-tour.ts'
import {
  ActionIcon,
  Button,
  Card,
  Group,
  Input,
  NativeSelect,
  Stack,
  Text,
  TextInput,
  Textarea,
} from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical, IconPlus, IconTrash } from '@tabler/icons-react'
import { type DragEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageTabs } from '../../../shell/i18n/language-tabs.tsx'
import { moved } from './moved.ts'
import classes from './tour-steps.module.css'

const blankStep: TourStep = {
  selector: '',
  placement: 'bottom',
  title_en: '',
  title_de: '',
  title_es: '',
  text_en: '',
  text_de: '',
  text_es: '',
}

interface StepsForm {
  values: { steps: TourStep[] }
  set: (field: 'steps', steps: TourStep[]) => void
  field: (name: 'steps') => { id: string; error: string | undefined }
}

/** The steps of a tour; reordered by drag and drop, by buttons, or by Alt with an arrow key. */
export function TourSteps({ form }: { form: StepsForm }): ReactNode {
  const { t } = useTranslation()
  const { steps } = form.values
  const { id, error } = form.field('steps')
  const [dragged, setDragged] = useState<number | null>(null)
  const set = (next: TourStep[]) => form.set('steps', next)

  function move(from: number, to: number): void {
    set(moved(steps, from, to))
    // The focus follows the step, so that the next key press moves it again.
    document.getElementById(`${id}-${to}`)?.focus()
  }

  function drop(event: DragEvent, index: number): void {
    event.preventDefault()
    if (dragged !== null) move(dragged, index)
    setDragged(null)
  }

  return (
    <Stack gap="sm" id={id}>
      {error && <Input.Error>{error}</Input.Error>}
      {steps.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('tours.guided_tour.no_steps')}
        </Text>
      )}
      <ol className={classes.steps}>
        {steps.map((step, index) => (
          <li
            // Steps have no ids, and their inputs have no state of their own.
            key={index}
            data-dragged={dragged === index || undefined}
            onDragOver={event => event.preventDefault()}
            onDrop={event => drop(event, index)}
          >
            <StepCard
              id={`${id}-${index}`}
              step={step}
              index={index}
              count={steps.length}
              onChange={next => set(steps.with(index, next))}
              onMove={to => move(index, to)}
              onRemove={() => set(steps.toSpliced(index, 1))}
              onDrag={isOn => setDragged(isOn ? index : null)}
            />
          </li>
        ))}
      </ol>
      <Button
        variant="default"
        w="fit-content"
        leftSection={<IconPlus size={16} stroke={1.8} />}
        onClick={() => set([...steps, blankStep])}
      >
        {t('tours.step.add')}
      </Button>
    </Stack>
  )
}

interface StepCardProps {
  id: string
  step: TourStep
  index: number
  count: number
  onChange: (step: TourStep) => void
  onMove: (to: number) => void
  onRemove: () => void
  onDrag: (isOn: boolean) => void
}

function StepCard({ id, step, index, count, onChange, onMove, onRemove, onDrag }: StepCardProps): ReactNode {
  const { t } = useTranslation()
  const number = index + 1

  function moveByKey(event: KeyboardEvent): void {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    onMove(event.key === 'ArrowUp' ? index - 1 : index + 1)
  }

  return (
    <Card
      id={id}
      tabIndex={-1}
      withBorder
      padding="md"
      onKeyDown={moveByKey}
      role="group"
      aria-label={t('tours.step.name', { number })}
    >
      <Group justify="space-between" wrap="nowrap" mb="sm">
        <Group gap="xs" wrap="nowrap">
          <span
            className={classes.grip}
            draggable
            aria-hidden
            onDragStart={event => {
              event.dataTransfer.effectAllowed = 'move'
              onDrag(true)
            }}
            onDragEnd={() => onDrag(false)}
          >
            <IconGripVertical size={16} stroke={1.6} />
          </span>
          <Text fw={600}>{t('tours.step.name', { number })}</Text>
        </Group>
        <Group gap={4} wrap="nowrap">
          <ActionIcon
            variant="subtle"
            color="gray"
            disabled={index === 0}
            aria-label={t('tours.step.up', { number })}
            onClick={() => onMove(index - 1)}
          >
            <IconArrowUp size={16} stroke={1.7} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            disabled={number === count}
            aria-label={t('tours.step.down', { number })}
            onClick={() => onMove(index + 1)}
          >
            <IconArrowDown size={16} stroke={1.7} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={t('tours.step.remove', { number })}
            onClick={onRemove}
          >
            <IconTrash size={16} stroke={1.7} />
          </ActionIcon>
        </Group>
      </Group>
      <Stack gap="md">
        <div className={classes.place}>
          <TextInput
            label={t('tours.step.selector')}
            classNames={{ input: classes.selector ?? '' }}
            value={step.selector}
            maxLength={500}
            onChange={event => onChange({ ...step, selector: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('tours.step.placement')}
            data={placements.map(value => ({ value, label: t(`tours.placements.${value}`) }))}
            value={step.placement}
            onChange={event => onChange({ ...step, placement: placementOf(event.currentTarget.value) })}
          />
        </div>
        <LanguageTabs
          label={t('tours.step.words', { number })}
          fields={['title', 'text']}
          values={step}
          onChange={(field, value) => onChange({ ...step, [field]: value })}
        >
          {(lang, hint) => (
            <Stack gap="sm">
              <TextInput
                label={t('tours.step.title')}
                description={hint('title')}
                maxLength={120}
                value={step[`title_${lang}`] ?? ''}
                onChange={event => onChange({ ...step, [`title_${lang}`]: event.currentTarget.value })}
              />
              <Textarea
                label={t('tours.step.text')}
                description={hint('text')}
                autosize
                minRows={2}
                maxLength={1000}
                value={step[`text_${lang}`] ?? ''}
                onChange={event => onChange({ ...step, [`text_${lang}`]: event.currentTarget.value })}
              />
            </Stack>
          )}
        </LanguageTabs>
      </Stack>
    </Card>
  )
}

function placementOf(text: string): TourStep['placement'] {
  return placements.find(placement => placement === text) ?? 'bottom'
}
