/** Says on every page that nothing here is real. */
export function DemoNote() {
  return (
    <div className="demo-note" role="note">
      演示数据
    </div>
  )
}
