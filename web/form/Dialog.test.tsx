// The one dialog: what closes it, what is asked first, and where the cursor is afterwards.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { type ComponentProps, useState } from 'react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { CloseButton, Dialog } from './Dialog.tsx'

type Given = Partial<ComponentProps<typeof Dialog>>

/** A page with a name to be typed in a dialog. */
function Page(given: Given) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        保存视图
      </button>
      {open && (
        <Dialog title="保存当前视图" footer={<CloseButton />} onClose={() => setOpen(false)} {...given}>
          <input aria-label="名称" defaultValue="" />
        </Dialog>
      )}
    </>
  )
}

const dialog = () => screen.queryByLabelText('保存当前视图')
const field = () => screen.getByRole('textbox', { name: '名称' }) as HTMLInputElement
const press = (name: string) => screen.getByRole('button', { name })
const discards = () => screen.findByRole('alertdialog', { name: '放弃已填写的内容？' })
const outer = () => document.querySelector('dialog') as HTMLDialogElement

async function open(given: Given = {}) {
  const person = show(<Page {...given} />)
  const opener = await screen.findByRole('button', { name: '保存视图' })
  await person.click(opener)
  await screen.findByRole('textbox', { name: '名称' })
  return { person, opener }
}

/** A press beside the dialog is told to the <dialog> itself. */
function pressBeside(): void {
  fireEvent.pointerDown(outer())
  fireEvent.click(outer(), { detail: 1 })
}

const WAYS: [name: string, leave: (person: UserEvent) => unknown][] = [
  ['Esc', person => person.keyboard('{Escape}')],
  ['a press beside it', pressBeside],
  ['取消', person => person.click(press('取消'))],
  ['关闭', person => person.click(press('关闭'))],
]

test.each(WAYS)('%s closes it where nothing was typed, and the cursor is back', async (_way, leave) => {
  const { person, opener } = await open()
  await leave(person)
  await waitFor(() => expect(dialog()).toBeNull())
  expect(document.activeElement).toBe(opener)
})

test.each(WAYS)('%s asks first once something was typed, as often as it is tried', async (_way, leave) => {
  const { person } = await open()
  await person.type(field(), '本月到期')
  for (let tries = 0; tries < 2; tries++) {
    await leave(person)
    await discards()
    // Of the two layers Esc closes the one that is seen.
    await person.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(field().value).toBe('本月到期')
  }
  await leave(person)
  await person.click(within(await discards()).getByRole('button', { name: '放弃' }))
  await waitFor(() => expect(dialog()).toBeNull())
})

test('what was typed and taken back is no loss', async () => {
  const { person } = await open()
  await person.type(field(), '王')
  await person.clear(field())
  await person.keyboard('{Escape}')
  await waitFor(() => expect(dialog()).toBeNull())
})

test('where all that is typed holds at once, nothing is asked', async () => {
  const { person } = await open({ dirty: false })
  await person.type(field(), '王')
  await person.keyboard('{Escape}')
  await waitFor(() => expect(dialog()).toBeNull())
})

test('text that is marked to beyond its edge does not close it, nor does the second press of a double one', async () => {
  await open()
  fireEvent.pointerDown(field())
  fireEvent.click(outer(), { detail: 1 })
  fireEvent.pointerDown(outer())
  fireEvent.click(outer(), { detail: 2 })
  expect(dialog()).not.toBeNull()
  pressBeside()
  await waitFor(() => expect(dialog()).toBeNull())
})

test('a question is answered, not brushed away', async () => {
  await open({ role: 'alertdialog' })
  pressBeside()
  expect(dialog()).not.toBeNull()
})

test('while it works nothing closes it', async () => {
  const { person } = await open({ busy: true })
  for (const [, leave] of WAYS) await leave(person)
  expect(dialog()).not.toBeNull()
  expect(screen.queryByRole('alertdialog')).toBeNull()
})
