import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { useUiSettings } from '@emma/ui/ui-settings.tsx'
import { Kbd, Switch, Title } from '@mantine/core'
import { type ReactNode, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../i18n/error-text.ts'
import { goTo } from './navigate.ts'
import { keyboardMap } from './keyboard-map-store.ts'
import classes from './keyboard-map.module.css'
import { savePreference } from '../resource/preferences.ts'
import { useNavigation } from './use-navigation.ts'

interface Shortcut {
  label: string
  /** Pressed together, or in sequence if `isSequence`. */
  keys: readonly string[]
  isSequence?: boolean
}

const mod = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** Dialog of all shortcuts, with the switch for single-key shortcuts. */
export function KeyboardMap(): ReactNode {
  const { t } = useTranslation()
  const { shortcuts } = useUiSettings()
  const isOpen = useSyncExternalStore(keyboardMap.subscribe, keyboardMap.isOpen)
  const screens = useGoTo()
  return (
    <Dialog title={t('shell.keyboard')} isOpen={isOpen} onClose={keyboardMap.close} size="lg">
      <div className={classes.map}>
        <Group title={t('shell.keyboard_everywhere')} shortcuts={everywhere(t)} />
        <Group title={t('shell.keyboard_list')} shortcuts={inLists(t)} />
        <Group title={t('shell.keyboard_go')} shortcuts={screens} />
      </div>
      <Switch
        mt="lg"
        label={t('shell.keyboard_switch')}
        description={t('shell.keyboard_switch_text')}
        checked={shortcuts}
        onChange={event => {
          savePreference({ shortcuts: event.currentTarget.checked }).catch(showError)
        }}
      />
    </Dialog>
  )
}

function Group({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }): ReactNode {
  const { t } = useTranslation()
  return (
    <section>
      <Title order={3} mb={6}>
        {title}
      </Title>
      <dl className={classes.shortcuts}>
        {shortcuts.map(({ label, keys, isSequence = false }) => (
          <div key={label} className={classes.shortcut}>
            <dt>{label}</dt>
            <dd>
              {keys.map((key, index) => (
                <span key={key}>
                  {index > 0 && (
                    <span className={classes.between}>{isSequence ? t('shell.keyboard_then') : '+'}</span>
                  )}
                  <Kbd size="xs">{key}</Kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function everywhere(t: (key: string) => string): Shortcut[] {
  return [
    { label: t('shell.search'), keys: [mod, 'K'] },
    { label: t('shell.keyboard'), keys: ['?'] },
    { label: t('shell.keyboard_save'), keys: [mod, 'S'] },
    { label: t('shell.keyboard_close'), keys: ['Esc'] },
  ]
}

function inLists(t: (key: string) => string): Shortcut[] {
  return [
    { label: t('shell.keyboard_next'), keys: ['j'] },
    { label: t('shell.keyboard_previous'), keys: ['k'] },
    { label: t('shell.keyboard_open'), keys: ['Enter'] },
    { label: t('shell.keyboard_select'), keys: ['x'] },
    { label: t('shell.keyboard_search'), keys: ['/'] },
    { label: t('shell.keyboard_leave'), keys: ['Esc'] },
  ]
}

function useGoTo(): Shortcut[] {
  const { t } = useTranslation()
  const entries = useNavigation().flatMap(area => area.entries)
  return Object.entries(goTo).flatMap(([letter, to]) => {
    const entry = entries.find(one => one.to === to)
    return entry ? [{ label: t(entry.title), keys: ['g', letter], isSequence: true }] : []
  })
}
