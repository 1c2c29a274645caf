import { useComputedColorScheme } from '@mantine/core'
import { useEffect } from 'react'
import { brand } from './brand.ts'

/** Keeps the browser's own frame in the brand's colour of the scheme at work (R005). */
export function ThemeColor(): null {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  useEffect(() => {
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', brand.themeColors[scheme])
  }, [scheme])
  return null
}
