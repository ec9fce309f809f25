import { DIRECT_ROWS } from '#kit/declare/list.ts'
import { formatCount } from '#kit/money.ts'
import { messageOf } from '../client/api.ts'
import { Button } from '../controls/Button.tsx'
import { confirm } from '../controls/confirm.ts'
import { IconDownload } from '../controls/icons.tsx'
import { toast } from '../controls/toast.ts'
import { FileLink } from '../form/files/FileLink.tsx'
import { useOfficeLimit } from '../shell/limit.ts'
import { useListServices } from './list-services.ts'

type Props = {
  href: string
  /** Null when nobody knows how many. */
  total: number | null
  conditions: string
}

/** The list as a file: at once when it is short, otherwise in the background after a question. */
export function ListExport({ href, total, conditions }: Props) {
  const { startExport } = useListServices()
  const direct = useOfficeLimit(DIRECT_ROWS, total !== null && total > DIRECT_ROWS.min)
  if (total !== null && total <= direct)
    return (
      <FileLink href={href} rows={total} onStart={() => toast.info('开始导出，完成后由浏览器保存')}>
        <IconDownload />
        导出
      </FileLink>
    )
  const start = async () => {
    const sure = await confirm({
      title: '在后台导出？',
      text: `${total === null ? '记录较多' : `共 ${formatCount(total)} 条`}，将在后台生成文件，可以继续其他操作，完成后会通知您下载`,
      confirmText: '开始导出',
    })
    if (!sure) return
    try {
      await startExport({ href, rowsExpected: total, conditions })
      toast.success('已开始后台导出，可在右上角查看进度')
    } catch (error) {
      toast.error(messageOf(error))
    }
  }
  return (
    <Button changes icon={<IconDownload />} onClick={() => void start()}>
      导出
    </Button>
  )
}
