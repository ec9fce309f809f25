// What every form does, whatever it asks for: said of the one form that all are made of.

import { Link } from '@tanstack/react-router'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Fields } from '#kit/declare/fields.ts'
import type { Meant } from '#kit/declare/form.ts'
import { show } from '#test/components/show.tsx'
import { CallError } from '../client/calls.ts'
import { Form } from './Form.tsx'
import { FormDialog } from './FormDialog.tsx'

const GOODS = {
  name: { kind: 'text', label: '名称', max: 4, control: { as: 'text', required: true } },
  priceCents: {
    kind: 'money',
    label: '价格',
    unit: '代币',
    min: 1,
    max: 1_000_000,
    control: { as: 'money', required: true, half: true },
  },
  stock: {
    kind: 'count',
    label: '库存',
    unit: '件',
    max: 999,
    control: { as: 'number', half: true, first: 0 },
  },
  state: {
    kind: 'word',
    label: '成色',
    words: { sound: '完好', worn: '旧' },
    control: { as: 'choice', required: true },
  },
  note: {
    kind: 'text',
    label: '说明',
    max: 10,
    control: { as: 'lines', counted: true, hint: '选填', placeholder: '给客户看的' },
  },
  enabled: { kind: 'flag', label: '上架', control: { as: 'switch', first: true } },
} as const satisfies Fields

type Goods = Meant<typeof GOODS>
type Sending = (goods: Goods, key: string) => unknown

const field = (label: string) => screen.getByLabelText(new RegExp(`^${label}`)) as HTMLInputElement
const told = (label: string) => document.getElementById(`${field(label).id}-note`)?.textContent
const save = () => screen.getByRole('button', { name: '保存' })

function dialog(send: Sending, more: { known?: Partial<Goods>; onClose?: () => void } = {}) {
  const { known, onClose = () => undefined } = more
  return show(
    <FormDialog title="新增商品" submitText="保存" of={GOODS} known={known} send={send} onClose={onClose} />,
  )
}

async function fill(person: ReturnType<typeof show>) {
  await person.type(await screen.findByLabelText(/^名称/), ' 扫码枪 ')
  await person.type(field('价格'), '1,234.5')
  await person.click(screen.getByRole('radio', { name: '完好' }))
}

test('the declared fields are drawn in their order, with unit, hint, count and what stands there first', async () => {
  dialog(() => undefined)
  await screen.findByLabelText(/^名称/)
  const labels = [...document.querySelectorAll('[data-part=field]')].map(
    drawn => drawn.firstChild?.textContent,
  )
  expect(labels).toEqual(['名称*', '价格*', '库存', '成色*', '说明', '上架'])
  expect([field('价格').inputMode, field('库存').inputMode]).toEqual(['decimal', 'numeric'])
  expect([field('库存').value, field('说明').placeholder, told('说明')]).toEqual(['0', '给客户看的', '选填'])
  expect(screen.getByRole('switch')).toHaveProperty('checked', true)
  expect(screen.getByText('0 / 10')).toBeTruthy()
})

test('what was meant is sent: texts without blanks around them, amounts in hundredths, numbers as numbers', async () => {
  const sent: Goods[] = []
  const person = dialog(goods => sent.push(goods))
  await fill(person)
  await person.click(save())
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toEqual({
    name: '扫码枪',
    priceCents: 123_450,
    stock: 0,
    state: 'sound',
    note: '',
    enabled: true,
  })
})

test('a row that is edited stands in its fields', async () => {
  dialog(() => undefined, {
    known: { name: '纸', priceCents: 950, stock: 12, state: 'worn', enabled: false },
  })
  await screen.findByLabelText(/^名称/)
  expect([field('名称').value, field('价格').value, field('库存').value]).toEqual(['纸', '9.50', '12'])
  expect(screen.getByRole('radio', { name: '旧' })).toHaveProperty('checked', true)
  expect(screen.getByRole('switch')).toHaveProperty('checked', false)
})

test('every broken rule is told at its field, the first is focused, and nothing is sent', async () => {
  const sent: Goods[] = []
  const person = dialog(goods => sent.push(goods))
  await person.click(await screen.findByRole('button', { name: '保存' }))
  expect(['名称', '价格', '库存'].map(told)).toEqual(['请输入名称', '请输入价格', ''])
  expect(screen.getByText('请选择成色')).toBeTruthy()
  expect(document.activeElement).toBe(field('名称'))
  expect(field('名称').getAttribute('aria-invalid')).toBe('true')
  await person.type(field('名称'), '五个字的名')
  await person.type(field('价格'), '0')
  await person.clear(field('库存'))
  await person.type(field('库存'), '1.5')
  expect(['名称', '价格', '库存'].map(told)).toEqual([
    '名称不得超过4字',
    '价格格式不对，须大于0，最高10,000代币',
    '',
  ])
  await person.click(save())
  expect(told('库存')).toBe('库存须为0至999的整数')
  expect(sent).toEqual([])
})

test('nothing is said of a field before it was left', async () => {
  const person = dialog(() => undefined)
  await person.type(await screen.findByLabelText(/^名称/), '五个字的名')
  expect(told('名称')).toBe('')
  await person.tab()
  expect(told('名称')).toBe('名称不得超过4字')
})

test('Enter sends, and one that picks a word of an input method does not', async () => {
  const sent: Goods[] = []
  const person = dialog(goods => sent.push(goods))
  await fill(person)
  // What a browser sends a form for is an Enter that nobody has prevented.
  expect(fireEvent.keyDown(field('名称'), { key: 'Enter', isComposing: true })).toBe(false)
  expect(fireEvent.keyDown(field('名称'), { key: 'Enter', keyCode: 229 })).toBe(false)
  expect(sent).toEqual([])
  await person.type(field('名称'), '{Enter}')
  await waitFor(() => expect(sent).toHaveLength(1))
})

test('Enter in a text of several lines begins the next line', async () => {
  const sent: Goods[] = []
  const person = dialog(goods => sent.push(goods))
  await fill(person)
  await person.type(field('说明'), '一{Enter}二')
  expect([field('说明').value, sent]).toEqual(['一\n二', []])
})

test('a second press while it is sent sends nothing, and a repeat after no answer bears the same key', async () => {
  const keys: string[] = []
  let fail: (error: Error) => void = () => undefined
  const person = dialog((_goods, key) => {
    keys.push(key)
    return keys.length === 1 ? new Promise((_resolve, reject) => (fail = reject)) : undefined
  })
  await fill(person)
  await person.dblClick(save())
  await person.click(save())
  expect(keys).toHaveLength(1)
  fail(new TypeError('Failed to fetch'))
  await screen.findByText('服务器繁忙，请稍后再试')
  expect(field('名称').value).toBe(' 扫码枪 ')
  await person.click(save())
  await waitFor(() => expect(keys).toHaveLength(2))
  expect(keys[1]).toBe(keys[0])
})

test('two presses before the page has drawn the first send once', async () => {
  const sent: Goods[] = []
  const person = dialog(goods => {
    sent.push(goods)
    return new Promise(() => undefined)
  })
  await fill(person)
  const form = save().closest('form') as HTMLFormElement
  act(() => {
    form.requestSubmit()
    form.requestSubmit()
  })
  expect(sent).toHaveLength(1)
})

test("the server's refusal stands at its field, which is focused, until it is changed; another below the fields", async () => {
  const answers = [
    new CallError('NAME_TAKEN', { status: 409, message: '名称已被使用', data: { field: 'name' } }),
    new CallError('CLOSED', { status: 409, message: '商城已关闭' }),
  ]
  const person = dialog(() => Promise.reject(answers.shift()))
  await fill(person)
  await person.click(save())
  await waitFor(() => expect(told('名称')).toBe('名称已被使用'))
  expect(document.activeElement).toBe(field('名称'))
  await person.clear(field('名称'))
  await person.type(field('名称'), '纸')
  expect(told('名称')).toBe('')
  await person.click(save())
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('商城已关闭'))
})

test('whoever closes it with something typed is asked, and goes on with what was typed', async () => {
  let closed = 0
  const person = dialog(() => undefined, { onClose: () => closed++ })
  await person.type(await screen.findByLabelText(/^名称/), '纸')
  await person.keyboard('{Escape}')
  await person.click(await screen.findByRole('button', { name: '继续填写' }))
  expect([field('名称').value, closed]).toEqual(['纸', 0])
  await person.click(screen.getByRole('button', { name: '取消' }))
  await person.click(await screen.findByRole('button', { name: '放弃' }))
  await waitFor(() => expect(closed).toBe(1))
})

test('an untouched one closes at once, and one that was sent closes by itself', async () => {
  let closed = 0
  const person = dialog(() => undefined, { onClose: () => closed++ })
  await person.click(await screen.findByRole('button', { name: '取消' }))
  expect(closed).toBe(1)
  await fill(person)
  await person.click(save())
  await waitFor(() => expect(closed).toBe(2))
})

test('a page is not left with something typed unless that is given up; once it was sent nobody is asked', async () => {
  const person = show(
    <>
      <Form submitText="保存" of={GOODS} send={() => undefined} onDone={() => undefined} />
      <Link to={'/admin/elsewhere' as never}>别处</Link>
    </>,
  )
  await person.type(await screen.findByLabelText(/^名称/), '纸')
  await person.click(screen.getByRole('link', { name: '别处' }))
  await person.click(await screen.findByRole('button', { name: '继续填写' }))
  expect([location.pathname, field('名称').value]).toEqual(['/admin/test', '纸'])
  await person.type(field('价格'), '1')
  await person.click(screen.getByRole('radio', { name: '旧' }))
  await person.click(save())
  await waitFor(() => expect(save().getAttribute('aria-busy')).not.toBe('true'))
  await person.click(screen.getByRole('link', { name: '别处' }))
  await waitFor(() => expect(location.pathname).toBe('/admin/elsewhere'))
})

const OWN = {
  name: GOODS.name,
  place: { kind: 'text', label: '地区', control: { as: 'own', required: true } },
} as const satisfies Fields

test('what the page draws itself stands in its place, with label, message and focus like any other', async () => {
  const person = show(
    <FormDialog
      title="地址"
      submitText="保存"
      of={OWN}
      known={{ name: '店' }}
      send={() => undefined}
      onClose={() => undefined}
    >
      {{ place: control => <input {...control} data-own defaultValue="" /> }}
    </FormDialog>,
  )
  await person.click(await screen.findByRole('button', { name: '保存' }))
  expect(told('地区')).toBe('请输入地区')
  expect(document.activeElement).toBe(document.querySelector('[data-own]'))
})

test('rules of the page are judged once the fields hold, and a field that is not asked for is neither shown nor judged', async () => {
  const judged: Goods[] = []
  const person = show(
    <FormDialog
      title="编辑商品"
      submitText="保存"
      of={GOODS}
      without={['state']}
      known={{ priceCents: 100 }}
      refuse={goods => {
        judged.push(goods)
        return { field: 'stock', message: '库存已变动' }
      }}
      send={() => undefined}
      onClose={() => undefined}
    />,
  )
  await screen.findByLabelText(/^名称/)
  expect(screen.queryByText('成色')).toBeNull()
  expect(judged).toEqual([])
  await person.type(field('名称'), '纸')
  await person.click(save())
  expect(told('库存')).toBe('库存已变动')
  expect(document.activeElement).toBe(field('库存'))
  expect(judged[0]).toMatchObject({ name: '纸', priceCents: 100 })
})

test('rules of the page that bear what is missing are told with it, one at each field', async () => {
  const person = show(
    <FormDialog
      title="编辑商品"
      submitText="保存"
      of={GOODS}
      known={{ priceCents: 100, state: 'sound' }}
      refuse={() => [
        { field: 'name', message: '名称已有人用' },
        { field: 'stock', message: '库存已变动' },
      ]}
      tellsAll
      send={() => undefined}
      onClose={() => undefined}
    />,
  )
  await screen.findByLabelText(/^名称/)
  await person.click(save())
  expect([told('名称'), told('库存')]).toEqual(['请输入名称', '库存已变动'])
  expect(document.activeElement).toBe(field('名称'))
})

const TOWNS = {
  town: {
    kind: 'word',
    label: '城市',
    words: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`t${at}`, `第${at}城`])),
    control: { as: 'select', required: true, placeholder: '请选择城市' },
  },
} as const satisfies Fields

test('on a phone many words to pick open in a sheet, with label, message and focus like any other', async () => {
  const { happyDOM } = window as unknown as { happyDOM: { setViewport: (size: { width: number }) => void } }
  happyDOM.setViewport({ width: 390 })
  try {
    const person = show(
      <FormDialog
        title="去哪里"
        submitText="保存"
        of={TOWNS}
        send={() => undefined}
        onClose={() => undefined}
      />,
    )
    const town = await screen.findByRole('combobox', { name: /^城市/ })
    expect(town.getAttribute('aria-haspopup')).toBe('dialog')
    await person.click(screen.getByRole('button', { name: '保存' }))
    expect(told('城市')).toBe('请选择城市')
    expect(document.activeElement).toBe(town)
  } finally {
    happyDOM.setViewport({ width: 1024 })
  }
})
