/** Selectors of roles, explicit and implicit, as far as tours use them. */
const roleSelectors: Readonly<Record<string, string>> = {
  button: 'button, [role="button"]',
  link: 'a[href], [role="link"]',
  heading: 'h1, h2, h3, h4, [role="heading"]',
  tab: '[role="tab"]',
  switch: '[role="switch"]',
  checkbox: 'input[type="checkbox"], [role="checkbox"]',
  combobox: 'select, [role="combobox"]',
  textbox: 'input:not([type]), input[type="text"], input[type="email"], textarea, [role="textbox"]',
  table: 'table',
  region: 'section[aria-label], [role="region"]',
}

export const tourRoles = Object.keys(roleSelectors)

/** Elements with a role, explicit or implicit. */
export function elementsOfRole(role: string, within: ParentNode): Element[] {
  const selector = roleSelectors[role]
  return selector === undefined ? [] : [...within.querySelectorAll(selector)]
}

/** Accessible name of an element: its `aria-label`, its label, or its text. */
export function nameOf(element: Element): string {
  const labels = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined
  const name = element.getAttribute('aria-label') ?? labels ?? element.textContent
  return name.replaceAll(/\s+/g, ' ').trim()
}

/**
 * Finds the first element that matches a tour's selector: CSS, or `role=button[name="Save"]`. Null if nothing matches
 * or the selector is invalid.
 */
export function findElement(selector: string, within: ParentNode = document): Element | null {
  const byRole = /^role=(\w+)\[name="(.*)"\]$/s.exec(selector)
  if (byRole) {
    const [, role = '', name = ''] = byRole
    return elementsOfRole(role, within).find(element => nameOf(element) === name) ?? null
  }
  try {
    return within.querySelector(selector)
  } catch {
    return null
  }
}
