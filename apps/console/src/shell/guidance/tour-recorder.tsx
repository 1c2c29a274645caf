import { layers } from '@emma/ui/theme/timings.ts'
import { Button, CloseButton, Code, Group, Kbd, Paper, Portal, ScrollArea, Stack, Text } from '@mantine/core'
import { IconPointer } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { asLang } from '../i18n/i18n.ts'
import { nameOf } from './find-element.ts'
import { type Recording, recordingStore } from './recording-store.ts'
import { selectorOf } from './selector-of.ts'
import classes from './tour-recorder.module.css'

/** Elements that can become a stop; a click picks the nearest ancestor that matches. */
const things =
  'a, button, input, select, textarea, [role], [data-tour], [data-area], h1, h2, h3, label, section, table'

/**
 * Records the stops of a tour (R258): the user picks elements of the live console with the mouse, or with Tab and
 * Enter. Picking an element does not activate it.
 */
export function TourRecorder({ recording }: { recording: Recording }): ReactNode {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const [isPointing, setPointing] = useState(false)
  const target = usePointing(isPointing, {
    onPick: element => {
      recordingStore.add(stepFor(element, asLang(i18n.resolvedLanguage)))
      setPointing(false)
    },
    onEnd: () => setPointing(false),
  })

  const toTour = () =>
    void navigate({ to: '/system/guided-tours/edit/$id', params: { id: String(recording.tourId) } })

  function cancel(): void {
    recordingStore.take()
    toTour()
  }

  return (
    <Portal>
      {target && <Frame element={target} />}
      <Paper
        component="section"
        className={classes.panel}
        style={{ zIndex: layers.popover }}
        aria-label={t('tours.recorder.title')}
        data-recorder
        withBorder
        shadow="lg"
        p="md"
      >
        <Stack gap="sm">
          <Group justify="space-between" wrap="nowrap">
            <Text fw={600} truncate>
              {t('tours.recorder.title')}: {recording.name}
            </Text>
            <CloseButton aria-label={t('tours.recorder.cancel')} onClick={cancel} />
          </Group>
          <Text size="sm" c="dimmed" role="status">
            {isPointing ? t('tours.recorder.pointing') : t('tours.recorder.hint')}
            {isPointing && (
              <>
                {' '}
                <Kbd size="xs">Tab</Kbd> <Kbd size="xs">Enter</Kbd> <Kbd size="xs">Esc</Kbd>
              </>
            )}
          </Text>
          {recording.steps.length > 0 && (
            <ScrollArea.Autosize mah={180}>
              <ol className={classes.steps}>
                {recording.steps.map((step, index) => (
                  <li key={`${index} ${step.selector}`}>
                    <Code className={classes.selector}>{step.selector}</Code>
                    <CloseButton
                      size="sm"
                      aria-label={t('tours.recorder.drop', { number: index + 1 })}
                      onClick={() => recordingStore.drop(index)}
                    />
                  </li>
                ))}
              </ol>
            </ScrollArea.Autosize>
          )}
          <Group gap="xs">
            <Button
              variant={isPointing ? 'light' : 'filled'}
              leftSection={<IconPointer size={16} stroke={1.7} />}
              onClick={() => setPointing(!isPointing)}
            >
              {t(isPointing ? 'tours.recorder.stop' : 'tours.recorder.point')}
            </Button>
            <Button variant="default" disabled={recording.steps.length === 0} onClick={toTour}>
              {t('tours.recorder.done')}
            </Button>
          </Group>
        </Stack>
      </Paper>
    </Portal>
  )
}

/** Creates a stop for the element, titled with its accessible name. */
function stepFor(element: Element, lang: 'en' | 'de' | 'es') {
  const blank = { title_en: '', title_de: '', title_es: '', text_en: '', text_de: '', text_es: '' }
  const title = nameOf(element).slice(0, 80)
  return { selector: selectorOf(element), placement: 'bottom' as const, ...blank, [`title_${lang}`]: title }
}

interface Pointing {
  onPick: (element: Element) => void
  onEnd: () => void
}

/** The element under the pointer or with the focus while picking; intercepts all events of the page. */
function usePointing(isOn: boolean, { onPick, onEnd }: Pointing): Element | null {
  const [target, setTarget] = useState<Element | null>(null)
  const pick = useEffectEvent(onPick)
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (!isOn) return undefined
    const stop = new AbortController()
    const options = { capture: true, signal: stop.signal }
    let under: Element | null = null
    const aim = (event: Event) => {
      under = thingAt(event.target)
      setTarget(under)
    }
    const take = (event: Event) => {
      const element = thingAt(event.target)
      if (!element) return
      event.preventDefault()
      event.stopPropagation()
      if (event.type === 'click') pick(element)
    }
    addEventListener('mousemove', aim, options)
    addEventListener('focusin', aim, options)
    addEventListener('pointerdown', take, options)
    addEventListener('mousedown', take, options)
    addEventListener('click', take, options)
    addEventListener(
      'keydown',
      event => {
        if (event.key === 'Escape') end()
        else if (event.key === 'Enter' && thingAt(event.target) && under) pick(under)
        else return
        event.preventDefault()
        event.stopPropagation()
      },
      options,
    )
    return () => {
      stop.abort()
      setTarget(null)
    }
  }, [isOn])
  return target
}

/** The element to pick, or null for elements of the recorder itself. */
function thingAt(target: EventTarget | null): Element | null {
  if (!(target instanceof Element) || target.closest('[data-recorder]')) return null
  return target.closest(things)
}

function Frame({ element }: { element: Element }): ReactNode {
  const { top, left, width, height } = element.getBoundingClientRect()
  return (
    <div
      className={classes.frame}
      style={{ top: top - 4, left: left - 4, width: width + 8, height: height + 8, zIndex: layers.popover }}
      aria-hidden
    />
  )
}
