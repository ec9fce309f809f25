import { useSyncExternalStore } from 'react'
import { Dialog, DialogText } from '../form/Dialog.tsx'
import { Button } from './Button.tsx'
import { questionStore } from './confirm.ts'

/** The question asked with `confirm`. */
export function ConfirmHost() {
  const question = useSyncExternalStore(questionStore.subscribe, questionStore.read)
  if (!question) return null
  return (
    <Dialog
      title={question.title}
      role="alertdialog"
      onClose={() => question.answer(false)}
      footer={
        <>
          <Button onClick={() => question.answer(false)}>{question.cancelText ?? '取消'}</Button>
          <Button
            kind={question.danger ? 'danger' : 'primary'}
            changes={question.changes ?? true}
            data-autofocus
            onClick={() => question.answer(true)}
          >
            {question.confirmText}
          </Button>
        </>
      }
    >
      {question.text && <DialogText>{question.text}</DialogText>}
    </Dialog>
  )
}
