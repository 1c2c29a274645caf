import { type Context, CycleTag, type Emitter, ForTag, type Scope, type Template } from 'liquidjs'

/** `{% for %}` of liquidjs with `forloop.parentloop`, as Liquid has it: the loop around this one, or nothing. */
export class LoopTag extends ForTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void | string, Template[]> {
    const parentloop: unknown = context.getSync(['forloop'])
    const push = context.push.bind(context)
    // The scope with `forloop` is the first one with a loop that is put on the stack here.
    context.push = (scope: Scope) => {
      if ('forloop' in scope) {
        context.push = push
        Object.assign(scope.forloop, { parentloop })
      }
      return push(scope)
    }
    try {
      return yield* super.render(context, emitter)
    } finally {
      context.push = push
    }
  }
}

/** What liquidjs remembers the position of a loop by; null for what is no loop. */
export function loopKey(template: Template): string | null {
  return template instanceof ForTag ? `${template.variable} ${template.collection.getText()}` : null
}

/** The keys of the loops that go on where one before them ended (`offset: continue`). */
export function continuedLoops(templates: readonly Template[]): ReadonlySet<string | null> {
  return new Set(templates.filter(one => continues(one)).map(one => loopKey(one)))
}

/** Whether a tag has a place where the word `continue` is no name. */
export function continues(template: Template): boolean {
  if (!(template instanceof ForTag)) return false
  const { offset } = template.hash.hash
  return typeof offset === 'object' && offset.getText() === 'continue'
}

export function isCycle(template: Template): boolean {
  return template instanceof CycleTag
}
