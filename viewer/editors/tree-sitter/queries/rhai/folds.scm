[
  (ExprBlock)
  (ExprArray)
  (ExprObject)
  (SwitchArmList)
] @fold
