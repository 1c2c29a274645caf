import type { Brand } from '@emma/contract/brands.ts'
import {
  type BadgeProps,
  type ButtonProps,
  type CSSVariablesResolver,
  type DrawerProps,
  type HoverCardProps,
  type LoaderProps,
  type MantineThemeOverride,
  type MenuProps,
  type ModalProps,
  type PopoverProps,
  type PortalProps,
  type TooltipProps,
  createTheme as createMantineTheme,
} from '@mantine/core'
import { blue, brandColors, dark, gray, green, red, yellow } from './brand-colors.ts'
import { fadeDuration, layers, modalDuration, modalOverlay } from './timings.ts'

/**
 * Mantine theme of a brand: dense, 14 px text on a 4 px grid, one accent color. Layers and motion follow R015: modals
 * at z-index 1050, backdrop fade of 150 ms, modal transition of 300 ms.
 */
export function createTheme(brand: Brand): MantineThemeOverride {
  return createMantineTheme({
    primaryColor: 'brand',
    primaryShade: { light: 7, dark: 7 },
    colors: { brand: brandColors[brand.primaryColor], gray, dark, green, red, yellow, blue },
    black: '#1a1a1f',
    defaultRadius: 'md',
    radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
    spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
    fontFamily: fonts,
    fontFamilyMonospace: monospaceFonts,
    fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
    lineHeights: { xs: '1.35', sm: '1.4', md: '1.5', lg: '1.5', xl: '1.35' },
    headings: {
      fontWeight: '600',
      sizes: {
        h1: { fontSize: '22px', lineHeight: '1.3' },
        h2: { fontSize: '17px', lineHeight: '1.35' },
        h3: { fontSize: '15px', lineHeight: '1.4' },
        h4: { fontSize: '14px', lineHeight: '1.4' },
      },
    },
    shadows: {
      xs: '0 1px 2px rgb(0 0 0 / 6%)',
      sm: '0 1px 3px rgb(0 0 0 / 8%), 0 1px 2px rgb(0 0 0 / 4%)',
      md: '0 4px 12px rgb(0 0 0 / 9%), 0 1px 3px rgb(0 0 0 / 6%)',
      lg: '0 10px 28px rgb(0 0 0 / 12%), 0 2px 6px rgb(0 0 0 / 6%)',
      xl: '0 20px 48px rgb(0 0 0 / 18%)',
    },
    cursorType: 'pointer',
    focusRing: 'auto',
    respectReducedMotion: true,
    // Plain objects instead of `Modal.extend` and the like, which would load every component initially.
    components: {
      Button: { defaultProps: { size: 'sm', loaderProps: { type: 'dots' } } satisfies Partial<ButtonProps> },
      Badge: { defaultProps: { tt: 'none', fw: 500 } satisfies Partial<BadgeProps> },
      // WCAG 2.2 requires 24 px; Mantine's clear button is smaller.
      InputClearButton: { styles: { root: { minWidth: 24, minHeight: 24 } } },
      Loader: { defaultProps: { size: 'sm' } satisfies Partial<LoaderProps> },
      Modal: {
        defaultProps: {
          zIndex: layers.modal,
          centered: true,
          radius: 'lg',
          shadow: 'xl',
          transitionProps: { transition: 'pop', duration: modalDuration },
          overlayProps: modalOverlay,
        } satisfies Partial<ModalProps>,
      },
      Drawer: {
        defaultProps: {
          zIndex: layers.modal,
          position: 'right',
          shadow: 'xl',
          transitionProps: { duration: modalDuration },
          overlayProps: { backgroundOpacity: 0.25, transitionProps: { duration: fadeDuration } },
        } satisfies Partial<DrawerProps>,
      },
      Popover: { defaultProps: popup satisfies Partial<PopoverProps> },
      Menu: {
        defaultProps: {
          ...popup,
          position: 'bottom-end',
          // Mantine's focus placeholder is not a menu item, which is not allowed inside a menu; the first item takes
          // the focus.
          withInitialFocusPlaceholder: false,
        } satisfies Partial<MenuProps>,
      },
      Portal: { defaultProps: { target: `#${popupsId}` } satisfies Partial<PortalProps> },
      HoverCard: { defaultProps: popup satisfies Partial<HoverCardProps> },
      Tooltip: {
        defaultProps: {
          zIndex: layers.tooltip,
          openDelay: 350,
          transitionProps: { duration: fadeDuration },
          events: { hover: true, focus: true, touch: false },
        } satisfies Partial<TooltipProps>,
      },
    },
  })
}

/** Id of the container of dialogs, menus and tooltips; a landmark, as all content must be inside one. */
export const popupsId = 'emma-popups'

const popup = {
  zIndex: layers.popover,
  shadow: 'lg',
  radius: 'md',
  transitionProps: { duration: fadeDuration },
} as const

/** Additional CSS variables: surfaces and lines of both color schemes, and readable defaults. */
export const cssVariables: CSSVariablesResolver = theme => ({
  variables: {
    '--emma-accent': theme.colors.brand?.[6] ?? '',
    '--emma-layer-sticky-cell': String(layers.stickyCell),
    '--emma-layer-sticky-bar': String(layers.stickyBar),
    '--emma-layer-loading-bar': String(layers.loadingBar),
    '--mantine-z-index-modal': String(layers.modal),
    '--mantine-z-index-popover': String(layers.popover),
  },
  light: {
    '--emma-ground': theme.white,
    '--emma-ground-sunken': 'var(--mantine-color-gray-0)',
    '--emma-ground-raised': theme.white,
    '--emma-ground-hover': 'var(--mantine-color-gray-1)',
    '--emma-ground-selected': 'var(--mantine-color-brand-0)',
    '--emma-line': 'var(--mantine-color-gray-2)',
    '--emma-line-strong': 'var(--mantine-color-gray-4)',
    // Contrast of 3 : 1 to the background, which WCAG 1.4.11 requires of input borders.
    '--emma-line-control': '#8f8f99',
    '--emma-link': 'var(--mantine-color-brand-7)',
    '--emma-positive': 'var(--mantine-color-green-7)',
    '--emma-caution': 'var(--mantine-color-yellow-7)',
    '--emma-negative': 'var(--mantine-color-red-7)',
    '--emma-informative': 'var(--mantine-color-blue-7)',
    ...chartColors(
      '#0b8a67',
      '#6741d9',
      '#c2255c',
      '#1b6ec2',
      '#c98500',
      '#868e96',
      '#5c940d',
      '#0c8599',
      '#862e9c',
    ),
    '--mantine-color-error': 'var(--mantine-color-red-7)',
    '--mantine-color-success': 'var(--mantine-color-green-7)',
    '--mantine-color-anchor': 'var(--mantine-color-brand-7)',
    '--mantine-color-default-border': 'var(--mantine-color-gray-3)',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-6)',
  },
  dark: {
    '--emma-ground': 'var(--mantine-color-dark-7)',
    '--emma-ground-sunken': 'var(--mantine-color-dark-8)',
    '--emma-ground-raised': 'var(--mantine-color-dark-6)',
    '--emma-ground-hover': 'var(--mantine-color-dark-6)',
    '--emma-ground-selected': 'color-mix(in srgb, var(--emma-accent) 14%, var(--mantine-color-dark-7))',
    '--emma-line': 'var(--mantine-color-dark-5)',
    '--emma-line-strong': 'var(--mantine-color-dark-4)',
    '--emma-line-control': '#6c6c77',
    '--emma-link': 'var(--mantine-color-brand-4)',
    '--emma-positive': 'var(--mantine-color-green-4)',
    '--emma-caution': 'var(--mantine-color-yellow-4)',
    '--emma-negative': 'var(--mantine-color-red-4)',
    '--emma-informative': 'var(--mantine-color-blue-4)',
    ...chartColors(
      '#38d9a9',
      '#9775fa',
      '#f783ac',
      '#74c0fc',
      '#ffc94d',
      '#adb5bd',
      '#a9e34b',
      '#66d9e8',
      '#da77f2',
    ),
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-success': 'var(--mantine-color-green-4)',
    '--mantine-color-anchor': 'var(--mantine-color-brand-4)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
    // Mantine's are nearly white in the dark scheme, so that delete and save buttons would look alike.
    ...lightColors('brand', 'red', 'green', 'yellow', 'blue'),
  },
})

/** Without `system-ui`, which is a wide font on many Linux desktops. */
const fonts =
  '"Inter Variable", Inter, -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", "Liberation Sans", Arial, sans-serif'
const monospaceFonts =
  '"JetBrains Mono", ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", "Liberation Mono", monospace'

/** Text colors of subtle and light buttons in the dark scheme. */
function lightColors(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map(name => [`--mantine-color-${name}-light-color`, `var(--mantine-color-${name}-4)`]),
  )
}

/** Colors of chart series: the brand's first, then ones that are distinguishable with color blindness. */
function chartColors(...others: readonly string[]): Record<string, string> {
  const colors = ['var(--emma-accent)', ...others]
  return Object.fromEntries(colors.map((color, index) => [`--emma-chart-${index + 1}`, color]))
}
