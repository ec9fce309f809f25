import { useQuery } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './acquirer.module.css'
import { type AcquirerData, acquirerApi } from './acquirerApi.tsx'
import type { acquirerOnboardings } from './contract.ts'
import { HAND_OVER } from './fields.ts'

type Props = { data: AcquirerData; onClose: () => void }
type Preview = Out<typeof acquirerOnboardings.preview>
const TITLE = '交接收款配置'

/** What the point of sale has now, what it would get, and that it gets it. */
export default function HandOverDialog({ data, onClose }: Props) {
  const preview = useQuery(acquirerApi.preview.query({ id: data.id }))
  if (preview.data && preview.data.refusal === null)
    return <Ready data={data} preview={preview.data} onClose={onClose} />
  return (
    <Dialog title={TITLE} width={560} onClose={onClose}>
      <div className={styles.form}>
        {preview.isError && !preview.data ? (
          <LoadFailure error={preview.error} onRetry={() => void preview.refetch()} />
        ) : !preview.data ? (
          <LoadingLines lines={4} />
        ) : (
          <p role="status">{preview.data.refusal}</p>
        )}
        <ActionBar>
          <CloseButton>关闭</CloseButton>
        </ActionBar>
      </div>
    </Dialog>
  )
}

function Ready({ data, preview, onClose }: Props & { preview: Preview }) {
  const { id, revision } = data
  const { replaces, secretLabel, isSecretSet, methodName } = preview
  return (
    <FormDialog
      title={TITLE}
      submitText="交接"
      width={560}
      of={HAND_OVER}
      without={secretLabel === null ? ['secret'] : []}
      refuse={({ secret }) =>
        secretLabel !== null && !isSecretSet && secret === ''
          ? { field: 'secret', message: `请输入${secretLabel}` }
          : null
      }
      question={() =>
        replaces && {
          title: `替换店铺现在的收款方式「${replaces.name}」？`,
          text: `交接后店铺由「${methodName}」收款，收银系统随即生效。`,
          confirmText: '替换并交接',
        }
      }
      send={async ({ secret }) => {
        await acquirerApi
          .handOver({ id, revision, secret: secret ?? '', insteadOf: replaces?.methodId ?? null })
          .catch((error: unknown) => {
            readAgain('acquirerOnboardings')
            throw error
          })
        toast.success('已交接，收银系统随即生效')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <p className={styles.note}>交接后收银系统会收到下列配置：</p>
          <Changes changes={preview.changes} />
          {replaces && (
            <p className={styles.warning} role="status">
              店铺正在使用「{replaces.name}」收款，交接会替换它。
            </p>
          )}
          <FormFields
            form={form}
            told={{
              secret: {
                ...(secretLabel !== null && { label: secretLabel }),
                hint: isSecretSet ? '店铺已有密钥，不更换请留空' : '由渠道给出，保存后不再显示',
              },
            }}
          />
        </>
      )}
    </FormDialog>
  )
}

function Changes({ changes }: Pick<Preview, 'changes'>) {
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th scope="col">项目</th>
          <th scope="col">现在</th>
          <th scope="col">交接后</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ label, before, after }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{before || '无'}</td>
            <td>{after || '待输入'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
