import {
  darkSetting,
  type DarkSetting,
  darkSettingsOf,
  setDarkSetting,
} from '@emma/mail/edit/dark-settings.ts'
import type { ElementNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { ActionIcon, ColorInput, TextInput } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePermission } from '../../../shell/session/use-session.ts'
import { FilePicker } from '../files/file-picker.tsx'
import classes from './design.module.css'
import type { Design } from './use-design.ts'

interface DarkInputsProps {
  design: Design
  tree: TemplateTree
  node: ElementNode
}

/** Colors and image of a block in dark mode. */
export function DarkInputs({ design, tree, node }: DarkInputsProps): ReactNode {
  const { t } = useTranslation()
  const settings = darkSettingsOf(tree, node)
  if (settings.length === 0) return null
  const change = (setting: DarkSetting, value: string) =>
    design.edit(
      current => {
        const now = current.nodes.find(({ id }) => id === node.id)
        if (now?.type !== 'element') return []
        return setDarkSetting(current, now, setting, value === '' ? null : value)
      },
      { key: `${node.id} dark ${setting}` },
    )
  return (
    <fieldset className={classes.fields}>
      <legend>{t('content.design.dark')}</legend>
      {settings.map(setting => (
        <DarkInput
          key={setting}
          setting={setting}
          stored={darkSetting(tree, node, setting) ?? ''}
          onChange={value => change(setting, value)}
        />
      ))}
    </fieldset>
  )
}

interface DarkInputProps {
  setting: DarkSetting
  stored: string
  onChange: (value: string) => void
}

/** What is typed stays in the input until it is a color or an address. */
function DarkInput({ setting, stored, onChange }: DarkInputProps): ReactNode {
  const { t } = useTranslation()
  const mayPick = usePermission({ all: ['CloudStorage:get'] })
  const [typed, setTyped] = useState(stored)
  const [shown, setShown] = useState(stored)
  const [isPicking, setPicking] = useState(false)
  if (shown !== stored) {
    setShown(stored)
    if (longColor(typed) !== stored) setTyped(stored)
  }
  const label = t(`content.design.dark_settings.${setting}`)
  const change = (value: string) => {
    setTyped(value)
    onChange(value.trim())
  }
  if (setting !== 'image')
    return (
      <ColorInput
        size="xs"
        label={label}
        value={typed}
        onChange={change}
        fixOnBlur={false}
        withEyeDropper={false}
        swatches={swatches}
        error={typed === '' || longColor(typed) === stored ? undefined : t('content.design.dark_color')}
      />
    )
  return (
    <>
      <TextInput
        size="xs"
        label={label}
        value={typed}
        inputMode="url"
        error={typed.trim() === stored ? undefined : t('content.design.dark_image')}
        onChange={event => change(event.currentTarget.value)}
        rightSection={
          mayPick && (
            <ActionIcon
              size="sm"
              variant="subtle"
              aria-label={`${t('content.files.choose_image')}: ${label}`}
              onClick={() => setPicking(true)}
            >
              <IconPhoto size={16} />
            </ActionIcon>
          )
        }
      />
      {isPicking && <FilePicker onPick={file => change(file.url ?? '')} onClose={() => setPicking(false)} />}
    </>
  )
}

const swatches = ['#000000', '#121212', '#1c1c1e', '#2c2c2e', '#e5e5e7', '#ffffff']

function longColor(value: string): string {
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(value.trim())?.[1]?.toLowerCase() ?? ''
  return digits === '' ? '' : `#${digits.length === 6 ? digits : digits.replaceAll(/./g, '$&$&')}`
}
