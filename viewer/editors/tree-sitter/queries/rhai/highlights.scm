; Colors for Rhai, with the grammar https://github.com/elkowar/tree-sitter-rhai. Rules further below win.

(ident) @variable

[
  (comment_line_doc)
  (comment_block_doc)
  (Doc)
] @comment

(lit_str) @string
(str_template_expr) @none
(lit_int) @number
(lit_float) @number
(lit_bool) @boolean
(LitUnit) @constant.builtin

(binop) @operator

["(" ")" "[" "]" "{" "}" "#{" "${"] @punctuation.bracket
["," ";" ":" "::"] @punctuation.delimiter

["let" "const" "fn" "private"] @keyword
["if" "else" "switch" "for" "in" "while" "loop" "do" "until" "return" "throw" "try" "catch" "break"] @keyword
["import" "export" "as"] @keyword

(ObjectField key: (ident) @property)

; `me.params.speed`: what stands behind a dot.
(ExprDotAccess
  (Expr)
  (Expr (ExprPath (Path (ident) @property))))

(ExprCall
  fn_name: (Expr (ExprPath (Path (ident) @function .))))

(ExprCall
  fn_name: (Expr (ExprDotAccess (Expr) (Expr (ExprPath (Path (ident) @function.method))))))

(ExprFn fn_name: (FnDeclName (ident) @function))
(Param (ident) @variable.parameter)

; The agent and the world.
((ident) @variable.builtin (#match? @variable.builtin "^(me|world)$"))
