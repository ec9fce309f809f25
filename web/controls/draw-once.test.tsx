// What draws the login page, beside React: the same document comes of the same elements.
import { render } from '@testing-library/react'
import { createRef } from 'react'
import { expect, test, vi } from 'vitest'
import { FormElement, SENDS } from '../form/FormElement.tsx'
import { AgentBrand } from '../shell/AgentBrand.tsx'
import { Brand } from '../shell/Brand.tsx'
import { DemoNote } from './DemoNote.tsx'
import { drawOnce, setAttribute } from './draw-once.ts'
import { IconEye } from './icons.tsx'

const PAGE = (
  <>
    <DemoNote />
    <main className="page" hidden>
      <AgentBrand brand={{ companyName: '华东 & <b>', logoId: '7' }} className="own" />
      <h1>
        {null}
        {false}
        <Brand size={32} />
        合作伙伴{0}
      </h1>
      <FormElement onSubmit={() => undefined} aria-labelledby="name">
        <label htmlFor="name">账号</label>
        <input
          {...SENDS}
          id="name"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          aria-invalid={false}
        />
        <button type="button" aria-label="显示密码" data-tip={undefined} aria-disabled>
          <IconEye />
        </button>
        <ul>
          {['甲', '乙'].map(who => (
            <li key={who}>{who}</li>
          ))}
        </ul>
      </FormElement>
    </main>
  </>
)

test('draws what React draws', () => {
  const drawn = document.createElement('div')
  drawn.append(drawOnce(PAGE))
  expect(drawn.isEqualNode(render(PAGE).container), drawn.innerHTML).toBe(true)
})

test('gives out what it drew, and calls who listens', () => {
  const pressed = vi.fn()
  const button = createRef<HTMLButtonElement>()
  let drawn: Element | null = null
  drawOnce(
    <p
      ref={element => {
        drawn = element
      }}
    >
      <button ref={button} type="button" onClick={pressed}>
        登录
      </button>
    </p>,
  )
  button.current?.click()
  expect(pressed).toHaveBeenCalledOnce()
  expect(button.current?.parentElement).toBe(drawn)
})

test('an attribute without a value is none', () => {
  const button = document.createElement('button')
  setAttribute(button, 'aria-busy', true)
  expect(button.outerHTML).toBe('<button aria-busy="true"></button>')
  setAttribute(button, 'aria-busy', undefined)
  setAttribute(button, 'hidden', true)
  expect(button.outerHTML).toBe('<button hidden=""></button>')
  setAttribute(button, 'hidden', false)
  expect(button.outerHTML).toBe('<button></button>')
})
