import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { OwnLink } from '#features/office/content/OwnLink.tsx'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { copyText } from '#web/controls/copy.ts'
import { look } from '#web/controls/look.ts'
import { StatusTag, type Tone } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import { LoadFailure } from '#web/form/LoadStates.tsx'
import type { SetupStepRow, setup } from './contract.ts'
import { isToDo } from './rules.ts'
import styles from './setup.module.css'

const setupApi = api<typeof setup>('setup')

export function useSetup() {
  return useQuery(setupApi.list.query())
}

/** What is still to be set up, as long as something necessary is; then nothing. */
export function SetupPanel() {
  const { data, error, refetch } = useSetup()
  const id = useId()
  if (error && !data) return <LoadFailure error={error} onRetry={() => void refetch()} />
  if (!data || data.steps.length === 0) return null
  const { steps } = data
  const done = steps.filter(({ state }) => state === 'done')
  const putOff = steps.filter(step => step.state !== 'done' && step.isPutOff)
  return (
    <section className={styles.setup} aria-labelledby={id}>
      <header>
        <h2 id={id} className={look.sectionTitle}>
          开始使用
        </h2>
        <span className={look.quiet}>
          已完成 {done.length} / {steps.length}
        </span>
      </header>
      <progress
        className={styles.progress}
        value={done.length}
        max={steps.length}
        aria-label={`已完成 ${done.length} 步，共 ${steps.length} 步`}
      />
      <ol className={styles.steps}>
        {steps.filter(isToDo).map(step => (
          <Step key={step.key} step={step} />
        ))}
      </ol>
      <div className={styles.folded}>
        {done.length > 0 && <Folded title={`已完成 ${done.length} 步`} steps={done} />}
        {putOff.length > 0 && <Folded title={`以后再说 ${putOff.length} 步`} steps={putOff} />}
      </div>
    </section>
  )
}

function Folded({ title, steps }: { title: string; steps: readonly SetupStepRow[] }) {
  return (
    <details>
      <summary>{title}</summary>
      <ol className={styles.steps}>
        {steps.map(step => (
          <Step key={step.key} step={step} />
        ))}
      </ol>
    </details>
  )
}

const TAGS: Record<SetupStepRow['state'], { tone: Tone; word: string }> = {
  done: { tone: 'done', word: '已完成' },
  open: { tone: 'neutral', word: '待办' },
  broken: { tone: 'problem', word: '有问题' },
}

function Step({ step }: { step: SetupStepRow }) {
  const { label, state, words, path, settings, isOptional, isPutOff } = step
  const { tone, word } = TAGS[state]
  const [shown, setShown] = useState(false)
  const missing = useId()
  return (
    <li className={styles.step}>
      <span className={styles.name}>
        <b>{label}</b>
        {state === 'open' ? (
          isOptional && <span className={styles.optional}>可选</span>
        ) : (
          <StatusTag tone={tone}>{word}</StatusTag>
        )}
      </span>
      <p className={styles.words}>{words}</p>
      <span className={styles.actions}>
        {settings.length > 0 && (
          <Button
            kind={path === null && state !== 'done' ? 'plain' : 'quiet'}
            changes={false}
            aria-expanded={shown}
            aria-controls={missing}
            aria-label={`${label}：${shown ? '收起设置' : '查看设置'}`}
            onClick={() => setShown(!shown)}
          >
            {shown ? '收起设置' : `查看设置（${settings.length}）`}
          </Button>
        )}
        {path !== null && state !== 'done' && (
          <OwnLink href={path} className={buttonLook('plain')} label={`${label}：去完成`}>
            去完成
          </OwnLink>
        )}
        {isOptional && state !== 'done' && <PutOff step={step} isPutOff={isPutOff} />}
      </span>
      {shown && <Settings id={missing} settings={settings} />}
    </li>
  )
}

function PutOff({ step: { key, label }, isPutOff }: { step: SetupStepRow; isPutOff: boolean }) {
  const put = useMutation({
    mutationFn: () => setupApi.putOff({ key, isPutOff: !isPutOff }),
    onError: error => toast.error(messageOf(error)),
    onSettled: () => reread(),
  })
  return (
    <Button
      kind="quiet"
      changes
      busy={put.isPending}
      aria-label={`${label}：${isPutOff ? '取回' : '以后再说'}`}
      onClick={() => put.mutate()}
    >
      {isPutOff ? '取回' : '以后再说'}
    </Button>
  )
}

/** Each line as it stands in the environment file of the server. */
function Settings({ id, settings }: { id: string; settings: SetupStepRow['settings'] }) {
  return (
    <div id={id} className={styles.settings}>
      <p className={look.quiet}>
        写进服务器的环境变量，换成自己的值，再重启程序。
        <Button
          kind="link"
          changes={false}
          onClick={() => void copyText(settings.map(({ line }) => line).join('\n'))}
        >
          复制全部
        </Button>
      </p>
      <dl>
        {settings.map(({ name, meaning, line }) => (
          <div key={name}>
            <dt>{meaning}</dt>
            <dd>
              <code>{line}</code>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
