import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{Bt as t,Ct as n,Ea as r,Fn as i,Ft as a,Gn as o,Ir as s,Kn as c,Nn as l,Oi as u,_n as d,ci as f,en as p,gn as m,ir as h,ka as g,ki as _,ln as v,qn as y,rr as b,sn as x,vn as S,yn as C}from"./vendor-UrpnIwLu.js";import{n as w,r as T,t as E}from"./DialogTitle-DNEhecX1.js";import{t as D}from"./DialogActions-BUtGBXgv.js";import{f as O,r as k}from"./listing-Cn-dlXS0.js";import{L as A,V as j,d as M}from"./core-CqQ4aSGz.js";var N=e(g(),1);function P(e){return c(`MuiLinearProgress`,e)}o(`MuiLinearProgress`,[`root`,`colorPrimary`,`colorSecondary`,`determinate`,`indeterminate`,`buffer`,`query`,`dashed`,`bar`,`bar1`,`bar2`]);var F=r(),I=4,L={},R=h`
  0% {
    left: -35%;
    right: 100%;
  }

  60% {
    left: 100%;
    right: -90%;
  }

  100% {
    left: 100%;
    right: -90%;
  }
`,z=typeof R==`string`?null:b`
        animation: ${R} 2.1s cubic-bezier(0.65, 0.815, 0.735, 0.395) infinite;
      `,B=h`
  0% {
    left: -200%;
    right: 100%;
  }

  60% {
    left: 107%;
    right: -8%;
  }

  100% {
    left: 107%;
    right: -8%;
  }
`,V=typeof B==`string`?null:b`
        animation: ${B} 2.1s cubic-bezier(0.165, 0.84, 0.44, 1) 1.15s infinite;
      `,H=h`
  0% {
    opacity: 1;
    background-position: 0 -23px;
  }

  60% {
    opacity: 0;
    background-position: 0 -23px;
  }

  100% {
    opacity: 1;
    background-position: -200px -23px;
  }
`,U=typeof H==`string`?null:b`
        animation: ${H} 3s infinite linear;
      `,W=e=>{let{classes:t,variant:n,color:r}=e,i={root:[`root`,`color${m(r)}`,n],dashed:[`dashed`],bar1:[`bar`,`bar1`],bar2:[`bar`,`bar2`,n===`buffer`&&`color${m(r)}`]};return l(i,P,t)},G=(e,t)=>e.vars?e.vars.palette.LinearProgress[`${t}Bg`]:e.palette.mode===`light`?e.lighten(e.palette[t].main,.62):e.darken(e.palette[t].main,.5),K=C(`span`,{name:`MuiLinearProgress`,slot:`Root`,overridesResolver:(e,t)=>{let{ownerState:n}=e;return[t.root,t[`color${m(n.color)}`],t[n.variant]]}})(S(({theme:e})=>({position:`relative`,overflow:`hidden`,display:`block`,height:4,zIndex:0,"@media print":{colorAdjust:`exact`},variants:[...Object.entries(e.palette).filter(t()).map(([t])=>({props:{color:t},style:{backgroundColor:G(e,t)}})),{props:({ownerState:e})=>e.color===`inherit`&&e.variant!==`buffer`,style:{"&::before":{content:`""`,position:`absolute`,left:0,top:0,right:0,bottom:0,backgroundColor:`currentColor`,opacity:.3}}},{props:{variant:`buffer`},style:{backgroundColor:`transparent`}},{props:{variant:`query`},style:{transform:`rotate(180deg)`}}]}))),q=C(`span`,{name:`MuiLinearProgress`,slot:`Dashed`})(S(({theme:e})=>({position:`absolute`,marginTop:0,height:`100%`,width:`100%`,backgroundSize:`10px 10px`,backgroundPosition:`0 -23px`,variants:[{props:{color:`inherit`},style:{opacity:.3,backgroundImage:`radial-gradient(currentColor 0%, currentColor 16%, transparent 42%)`}},...Object.entries(e.palette).filter(t()).map(([t])=>{let n=G(e,t);return{props:{color:t},style:{backgroundImage:`radial-gradient(${n} 0%, ${n} 16%, transparent 42%)`}}})]})),U||{animation:`${H} 3s infinite linear`},S(({theme:e})=>x(e,{animation:`none`})||L)),ee=C(`span`,{name:`MuiLinearProgress`,slot:`Bar1`,overridesResolver:(e,t)=>[t.bar,t.bar1]})(S(({theme:e})=>{let n=x(e,{animation:`none`,left:`30%`,right:`auto`,width:`40%`});return{width:`100%`,position:`absolute`,left:0,bottom:0,top:0,...v(e,`transform`,{duration:`0.2s`,easing:`linear`}),transformOrigin:`left`,variants:[{props:{color:`inherit`},style:{backgroundColor:`currentColor`}},...Object.entries(e.palette).filter(t()).map(([t])=>({props:{color:t},style:{backgroundColor:(e.vars||e).palette[t].main}})),{props:{variant:`determinate`},style:{...v(e,`transform`,{duration:`.${I}s`,easing:`linear`})}},{props:{variant:`buffer`},style:{zIndex:1,...v(e,`transform`,{duration:`.${I}s`,easing:`linear`})}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:{width:`auto`}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:z||{animation:`${R} 2.1s cubic-bezier(0.65, 0.815, 0.735, 0.395) infinite`}},...n?[{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:n}]:[]]}})),te=C(`span`,{name:`MuiLinearProgress`,slot:`Bar2`,overridesResolver:(e,t)=>[t.bar,t.bar2]})(S(({theme:e})=>{let n=x(e,{animation:`none`,display:`none`});return{width:`100%`,position:`absolute`,left:0,bottom:0,top:0,...v(e,`transform`,{duration:`0.2s`,easing:`linear`}),transformOrigin:`left`,variants:[...Object.entries(e.palette).filter(t()).map(([t])=>({props:{color:t},style:{"--LinearProgressBar2-barColor":(e.vars||e).palette[t].main}})),{props:({ownerState:e})=>e.variant!==`buffer`&&e.color!==`inherit`,style:{backgroundColor:`var(--LinearProgressBar2-barColor, currentColor)`}},{props:({ownerState:e})=>e.variant!==`buffer`&&e.color===`inherit`,style:{backgroundColor:`currentColor`}},{props:{color:`inherit`},style:{opacity:.3}},...Object.entries(e.palette).filter(t()).map(([t])=>({props:{color:t,variant:`buffer`},style:{backgroundColor:G(e,t),...v(e,`transform`,{duration:`.${I}s`,easing:`linear`})}})),{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:{width:`auto`}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:V||{animation:`${B} 2.1s cubic-bezier(0.165, 0.84, 0.44, 1) 1.15s infinite`}},...n?[{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:n}]:[]]}})),ne=N.forwardRef(function(e,t){let n=d({props:e,name:`MuiLinearProgress`}),{className:r,color:a=`primary`,max:o,min:s,value:c,valueBuffer:l,variant:u=`indeterminate`,...f}=n,p={...n,color:a,variant:u},m=s??0,h=o??100,g=W(p),_=i(),v={},b={bar1:{},bar2:{}};if((u===`determinate`||u===`buffer`)&&c!==void 0){let e=h-m,t=(c-m)/e*100-100;_&&(t=-t),b.bar1.transform=e>0?`translateX(${t}%)`:`translateX(-100%)`,v[`aria-valuenow`]=c,v[`aria-valuemin`]=m,v[`aria-valuemax`]=h}if(u===`buffer`&&l!==void 0){let e=h-m,t=(l-m)/e*100-100;_&&(t=-t),b.bar2.transform=e>0?`translateX(${t}%)`:`translateX(-100%)`}return(0,F.jsxs)(K,{className:y(g.root,r),ownerState:p,role:`progressbar`,...v,ref:t,...f,children:[u===`buffer`?(0,F.jsx)(q,{className:g.dashed,ownerState:p}):null,(0,F.jsx)(ee,{className:g.bar1,ownerState:p,style:b.bar1}),u===`determinate`?null:(0,F.jsx)(te,{className:g.bar2,ownerState:p,style:b.bar2})]})}),J=p((0,F.jsx)(`path`,{d:`M19 9h-4V3H9v6H5l7 7zm-8 2V5h2v6h1.17L12 13.17 9.83 11zm-6 7h14v2H5z`}),`DownloadOutlined`),re=e=>/^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/.test(e)?`'${e}`:e,ie=e=>e===`fr`?`;`:`,`;function ae(e){let t=typeof e==`string`?re(e):String(e??``);return/[",;\r\n]/.test(t)?`"${t.replaceAll(`"`,`""`)}"`:t}var Y=(e,t)=>`${e.map(ae).join(t)}\r\n`,X=2e4,Z=100;function Q(e){let t=ie(f());return{head:`﻿`+Y(Object.keys(e),t),linesOf:n=>n.map(n=>Y(Object.values(e).map(e=>e(n)),t)).join(``)}}function $(e,t){let n=document.createElement(`a`);n.href=URL.createObjectURL(new Blob(e,{type:`text/csv;charset=utf-8`})),n.download=`${t}-${new Date().toISOString().slice(0,10)}.csv`,n.click(),URL.revokeObjectURL(n.href)}function oe(e){let{resource:t,sort:n,...r}=O(),i=r.filterValues,a=s(),o=j(),c=M(),{head:l,linesOf:u}=Q(e),d=(e,r)=>a.getList(t,{pagination:{page:e,perPage:Z},sort:n,filter:i,signal:r});return async(e,n)=>{let r=[l],i=new Set,a=1/0;for(let t=1;(t-1)*Z<a;t+=1){let{data:s,total:l=0}=await d(t,n);if(n.throwIfAborted(),l>X){let[e,t]=[X,l].map(e=>e.toLocaleString(c));throw Error(o(`csv.tooMany`,{most:e,total:t}))}t===1&&(a=l);let f=s.filter(({id:e})=>!i.has(e));for(let{id:e}of f)i.add(e);r.push(u(f)),e({count:i.size,total:a})}if(i.size===0)throw Error(o(`csv.nothing`));if(i.size<a)throw Error(o(`csv.moved`));return $(r,t),i.size}}function se({columns:e}){let{resource:t}=O(),r=k(),i=j(),{head:a,linesOf:o}=Q(e);return(0,F.jsx)(n,{size:`small`,startIcon:(0,F.jsx)(J,{}),onClick:()=>$([a,o(r)],t),children:i(`csv.selected`)})}function ce({columns:e}){let t=oe(e),[r,i]=(0,N.useState)(),o=(0,N.useRef)(void 0);A(()=>r!==void 0);let s=_(),c=u(),l=j();async function d(){let{signal:e}=o.current=new AbortController;i({count:0,total:0});try{let n=await t(i,e);s(`csv.done`,{type:`success`,messageArgs:{smart_count:n}})}catch(t){e.aborted||s(t instanceof Error?t.message:`states.failed`,{type:`error`})}finally{i(void 0)}}let{count:f=0,total:p=0}=r??{};return(0,F.jsxs)(F.Fragment,{children:[(0,F.jsx)(n,{size:`small`,startIcon:(0,F.jsx)(J,{}),onClick:()=>void d(),children:l(`csv.button`)}),(0,F.jsxs)(T,{open:r!==void 0,fullWidth:!0,maxWidth:`xs`,"aria-labelledby":`csv-title`,children:[(0,F.jsx)(E,{id:`csv-title`,children:l(`csv.title`)}),(0,F.jsxs)(w,{children:[(0,F.jsx)(ne,{"aria-labelledby":`csv-title`,variant:p>0?`determinate`:`indeterminate`,value:p>0?Math.min(100,f/p*100):void 0}),(0,F.jsx)(a,{sx:{marginTop:1},children:l(`csv.progress`,{count:f,total:p})})]}),(0,F.jsx)(D,{children:(0,F.jsx)(n,{onClick:()=>o.current?.abort(),children:c(`ra.action.cancel`)})})]})]})}export{se as n,ce as t};