import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { AgentPicker } from '#features/office/agents/AgentPicker.tsx'
import { formatBytes } from '#features/overview/exports/ExportJobs.tsx'
import { formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './agency-exports.module.css'
import type { agencyExports } from './contract.ts'
import { HANDING } from './fields.ts'

const exportsApi = api<typeof agencyExports>('agencyExports')

/** Whose data and why, and what the archive will hold. */
export default function StartDialog({
  agentId,
  onClose,
}: {
  agentId: number | undefined
  onClose: () => void
}) {
  return (
    <FormDialog
      title="移交数据"
      submitText="开始生成"
      width={640}
      of={HANDING}
      known={{ ...(agentId !== undefined && { agentId }) }}
      send={async (values, idempotencyKey) => {
        await exportsApi.start(values, { idempotencyKey }).catch((error: unknown) => {
          readAgain('agencyExports')
          throw error
        })
        toast.success('已开始，生成后可在列表中下载')
        await reread()
        onClose()
      }}
      onDone={() => undefined}
      onClose={onClose}
    >
      {form => (
        <>
          <FormFields form={form} only={['agentId']}>
            {{
              agentId: ({ id }) => (
                <AgentPicker
                  id={id}
                  value={form.draft.agentId ?? undefined}
                  placeholder="名称或编号"
                  onChange={chosen => form.change({ agentId: chosen ?? null })}
                />
              ),
            }}
          </FormFields>
          {form.draft.agentId !== null && <Preview agentId={form.draft.agentId} />}
          <FormFields form={form} only={['reason']} />
        </>
      )}
    </FormDialog>
  )
}

/** What there is of the agency as things stand. */
function Preview({ agentId }: { agentId: number }) {
  const preview = useQuery({
    ...exportsApi.preview.query({ agentId }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const { data } = preview
  if (preview.isError) return <LoadFailure error={preview.error} onRetry={() => void preview.refetch()} />
  if (!data) return <LoadingLines lines={4} />
  const count = (rows: number, isAbout: boolean) => `${isAbout ? '约 ' : ''}${formatCount(rows)} 条`
  return (
    <section className={styles.preview} aria-label="压缩包内容">
      <h3>
        {count(data.rows, data.isAbout)}记录，{formatCount(data.files)} 个文件，约{' '}
        {formatBytes(data.byteSize)}
      </h3>
      <Facts>
        {data.groups
          .filter(({ rows }) => rows > 0)
          .map(({ name, rows, isAbout }) => (
            <Fact key={name} label={name}>
              {count(rows, isAbout)}
            </Fact>
          ))}
      </Facts>
      <p className={styles.note}>
        含商户和人员的个人信息与证件原件，不含密码、密钥和其他机构的数据。生成、下载都会写入该代理商的操作日志。
      </p>
    </section>
  )
}
