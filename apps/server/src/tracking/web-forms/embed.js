// Script of web forms: puts the form on a website, or improves the one on the public page. Served as it is, so plain
// JavaScript without imports; below 12 kB.
;(() => {
  const script = document.currentScript
  const base = script.src.replace(/\.js(\?.*)?$/, '')
  const hash = base.split('/').pop()
  const opened = Date.now()
  const MIN_MS = 2500

  const present = document.querySelector('form.emma')
  if (present && new URL(present.action).href === base) enhance(present, null)
  else void embed()

  async function embed() {
    const lang = script.dataset.lang || document.documentElement.lang || navigator.language
    const response = await fetch(`${base}/data?lang=${encodeURIComponent(lang)}`)
    if (!response.ok) return
    const data = await response.json()
    if (data.type !== 'popup') return show(data)
    if (isRecentlyClosed(data.again)) return
    await popupTime(data)
    showPopup(data)
  }

  // A shadow root, so that the styles of the website and of the form do not affect each other.
  function show(data) {
    const target = document.querySelector(`[data-emma-form="${hash}"]`)
    const host = target || document.createElement('div')
    if (!target) script.after(host)
    const root = host.attachShadow({ mode: 'open' })
    fill(root, root, data)
    enhance(root.querySelector('form'), data)
    count('views')
  }

  function showPopup(data) {
    const host = document.createElement('div')
    document.body.append(host)
    const root = host.attachShadow({ mode: 'open' })
    const dialog = document.createElement('dialog')
    dialog.setAttribute('aria-label', data.name)
    root.append(dialog)
    fill(
      root,
      dialog,
      data,
      'dialog{border:0;padding:0;background:transparent;max-width:calc(100vw - 2rem);width:44rem;max-height:calc(100vh - 2rem)}dialog::backdrop{background:#0009}.close{position:absolute;top:.25rem;right:.25rem;z-index:1;width:2.75rem;height:2.75rem;border:0;background:transparent;font-size:1.5rem;cursor:pointer}.frame{position:relative;margin:0 auto}',
    )
    const frame = document.createElement('div')
    frame.className = 'frame'
    const close = document.createElement('button')
    close.type = 'button'
    close.className = 'close'
    close.setAttribute('aria-label', data.close)
    close.textContent = '×'
    close.addEventListener('click', () => dialog.close())
    frame.append(...dialog.childNodes, close)
    dialog.append(frame)
    dialog.addEventListener('close', () => {
      remember(Date.now())
      host.remove()
    })
    // A modal dialog keeps the focus, and closes by Escape.
    dialog.showModal()
    const { color, maxWidth } = getComputedStyle(frame.querySelector('form'))
    close.style.color = color
    // Of the same width in all steps.
    frame.style.width = `min(100%, ${maxWidth})`
    enhance(frame.querySelector('form'), data)
    // Otherwise the dialog focuses the field that only programs fill in.
    focusFirst(frame)
    count('views')
  }

  function focusFirst(part) {
    part.querySelector('fieldset input, fieldset select, fieldset textarea')?.focus()
  }

  // A constructed style sheet, which a strict policy of the website allows.
  function fill(root, target, { css, html }, more = '') {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css + more)
    root.adoptedStyleSheets = [sheet]
    const place = document.createElement('div')
    place.innerHTML = html
    target.append(...place.childNodes)
  }

  function popupTime({ trigger, after }) {
    return new Promise(resolve => {
      if (trigger === 'delay') setTimeout(resolve, after * 1000)
      else if (trigger === 'scroll') {
        const check = () => {
          const { scrollHeight, clientHeight, scrollTop } = document.documentElement
          if (scrollTop + clientHeight < (scrollHeight * after) / 100) return
          removeEventListener('scroll', check)
          resolve()
        }
        addEventListener('scroll', check, { passive: true })
        check()
      } else
        document.addEventListener('mouseout', event => event.relatedTarget || event.clientY > 0 || resolve())
    })
  }

  function isRecentlyClosed(days) {
    try {
      return Date.now() - Number(localStorage.getItem(`emma-form-${hash}`)) < days * 86400000
    } catch {
      return false
    }
  }

  // The time of closing; after a submission, the pop-up does not open again.
  function remember(time) {
    try {
      if (localStorage.getItem(`emma-form-${hash}`) !== 'Infinity')
        localStorage.setItem(`emma-form-${hash}`, String(time))
    } catch {
      // Without storage it opens again.
    }
  }

  function count(kind) {
    void fetch(`${base}/${kind}`, { method: 'POST', keepalive: true }).catch(() => {})
  }

  function enhance(form, data) {
    form.noValidate = true
    if (data) {
      form.action = base
      prefill(form)
    }
    form.addEventListener('input', () => count('starts'), { once: true })
    const steps = [...form.querySelectorAll('fieldset')]
    const goTo = steps.length > 1 ? addSteps(form, steps) : () => {}
    let isSending = false
    form.addEventListener('submit', async event => {
      event.preventDefault()
      if (isSending) return
      isSending = true
      const button = form.querySelector('[type=submit]')
      button.disabled = true
      try {
        await send(form, data, goTo)
      } catch {
        // The server's page says what happened, also without CORS.
        HTMLFormElement.prototype.submit.call(form)
      } finally {
        isSending = false
        button.disabled = false
      }
    })
  }

  function prefill(form) {
    const given = new URLSearchParams(location.search)
    for (const input of form.querySelectorAll('[data-prefill]')) {
      const value = given.get(input.name)
      if (value === null) continue
      if (input.type === 'checkbox') input.checked = /^(true|1|on|yes)$/i.test(value)
      else input.value = value
    }
  }

  function addSteps(form, steps) {
    const actions = form.querySelector('.actions')
    const submit = actions.querySelector('[type=submit]')
    const back = plainButton(form.dataset.back)
    const next = plainButton(form.dataset.next)
    next.className = ''
    actions.prepend(back, next)
    const place = document.createElement('p')
    place.setAttribute('aria-live', 'polite')
    steps[0].before(place)
    let at = 0
    const goTo = index => {
      at = index
      steps.forEach((step, n) => (step.hidden = n !== at))
      back.hidden = at === 0
      next.hidden = at === steps.length - 1
      submit.hidden = !next.hidden
      place.textContent = form.dataset.steps.replace('{step}', at + 1).replace('{steps}', steps.length)
    }
    back.addEventListener('click', () => goTo(at - 1))
    next.addEventListener('click', () => {
      const faulty = [...steps[at].elements].find(input => !input.reportValidity())
      if (faulty) return
      goTo(at + 1)
      steps[at].querySelector('input, select, textarea')?.focus()
    })
    form.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || next.hidden || !event.target.matches('input')) return
      event.preventDefault()
      next.click()
    })
    goTo(0)
    return input => goTo(Math.max(0, steps.indexOf(input.closest('fieldset'))))
  }

  function plainButton(text) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'plain'
    button.textContent = text
    return button
  }

  async function send(form, data, goTo) {
    const values = Object.fromEntries(new FormData(form))
    // Values typed by people take longer; programs are slowed down.
    await new Promise(resolve => setTimeout(resolve, Math.max(0, opened + MIN_MS - Date.now())))
    const challenge = data ? data.challenge : await (await fetch(`${base}/challenge`)).json()
    const response = await fetch(base, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...values,
        _page: location.href.slice(0, 2000),
        _proof: await solve(challenge),
      }),
    })
    const answer = await response.json()
    if (response.ok) remember(Infinity)
    if (answer.redirect) return location.assign(answer.redirect)
    if (answer.html) {
      const place = document.createElement('div')
      place.innerHTML = answer.html
      const thanks = place.firstElementChild
      form.replaceWith(thanks)
      return thanks.focus()
    }
    if (answer.start) form.elements._start.value = answer.start
    if (answer.challenge && data) data.challenge = answer.challenge
    showErrors(form, answer, goTo)
  }

  function showErrors(form, { errors = {}, notice = '' }, goTo) {
    const inputs = [...form.elements].filter(({ name, type }) => name && type !== 'hidden')
    for (const input of inputs) {
      const text = form.querySelector(`#${input.id}-error`)
      if (!text) continue
      text.textContent = errors[input.name] || ''
      if (errors[input.name]) input.setAttribute('aria-invalid', 'true')
      else input.removeAttribute('aria-invalid')
    }
    form.querySelector('.notice').textContent = notice
    const first = inputs.find(({ name }) => errors[name])
    if (!first) return
    goTo(first)
    first.focus()
  }

  // Proof of work of Altcha: SHA-256 of salt, nonce and counter begins with the prefix. Browsers have no digests on
  // plain HTTP; the server then allows fewer submissions.
  async function solve(challenge) {
    if (!globalThis.crypto?.subtle) return ''
    const { salt, nonce, keyPrefix } = challenge.parameters
    const fixed = new Uint8Array([...bytes(salt), ...bytes(nonce), 0, 0, 0, 0])
    const view = new DataView(fixed.buffer)
    for (let counter = 0; counter < 1e6; counter += 1) {
      view.setUint32(fixed.length - 4, counter)
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', fixed))
      if (digest[0] !== 0) continue
      const derivedKey = [...digest].map(byte => byte.toString(16).padStart(2, '0')).join('')
      if (derivedKey.startsWith(keyPrefix))
        return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }))
    }
    return ''
  }

  function bytes(hex) {
    return (hex.match(/../g) || []).map(pair => Number.parseInt(pair, 16))
  }
})()
